import type { LocatedOperation, SchemaObject, SchemaOrRef, Schemas } from './operation';

const PREFIX = '#/components/schemas/';

/** Values of formats that say what they look like. */
const OF_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  'date-time': '2026-05-04T09:30:00.000Z',
  date: '2026-05-04',
  email: 'alice@example.com',
  uri: 'https://example.com/',
};

const refOf = (schema: SchemaOrRef): string | undefined => ('$ref' in schema ? schema.$ref : undefined);

/** The schema a reference names, or the schema itself. */
export function resolveSchema(schema: SchemaOrRef, schemas: Schemas): SchemaObject {
  const ref = refOf(schema);
  if (ref === undefined) return schema as SchemaObject;
  const target = schemas[ref.slice(PREFIX.length)];
  if (!target) throw new Error(`The document has no schema ${ref}`);
  return resolveSchema(target, schemas);
}

/**
 * A whole example of a schema, put together from the examples of its properties. A property without one gets its
 * default, its first enumerated value, or a plain value of its type.
 */
export function exampleOf(schema: SchemaOrRef, schemas: Schemas): unknown {
  const known = resolveSchema(schema, schemas);
  if (known.example !== undefined) return known.example as unknown;
  if (known.allOf) return mergeExamples(known.allOf.map((part) => exampleOf(part, schemas)));
  const alternative = known.oneOf?.[0] ?? known.anyOf?.[0];
  if (alternative) return exampleOf(alternative, schemas);
  if (known.default !== undefined) return known.default as unknown;
  if (known.enum) return known.enum[0] as unknown;
  switch (known.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(known.properties ?? {}).map(([name, property]) => [
          name,
          exampleOf(property, schemas),
        ]),
      );
    case 'array':
      return known.items ? [exampleOf(known.items, schemas)] : [];
    case 'integer':
    case 'number':
      return known.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return known.nullable ? null : (OF_FORMAT[known.format ?? ''] ?? 'text');
  }
}

function mergeExamples(parts: readonly unknown[]): unknown {
  const isMergeable = parts.every(
    (part) => typeof part === 'object' && part !== null && !Array.isArray(part),
  );
  return isMergeable ? Object.assign({}, ...(parts as object[])) : parts[0];
}

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
