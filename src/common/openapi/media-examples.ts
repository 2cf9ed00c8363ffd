import type { LocatedOperation, SchemaOrRef, Schemas } from './operation';
import { exampleOf } from './schema-examples';

interface Media {
  schema?: SchemaOrRef;
  example?: unknown;
  examples?: object;
}

/** Media types whose content a schema describes: of an event stream, the data of its events. */
const DESCRIBED = ['application/json', 'text/event-stream'];

/** Gives the JSON bodies and answers of an operation an example each, unless its controller brings one. */
export function addMediaExamples({ operation }: LocatedOperation, schemas: Schemas): void {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)];
  for (const body of bodies) {
    if (!body || !('content' in body) || !body.content) continue;
    for (const type of DESCRIBED) {
      const media = body.content[type] as Media | undefined;
      if (!media?.schema || media.example !== undefined || media.examples) continue;
      media.example = exampleOf(media.schema, schemas);
    }
  }
}
