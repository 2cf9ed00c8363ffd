import type { OpenAPIObject } from '@nestjs/swagger';

export type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type ResponseObject = Extract<OperationObject['responses'][string], { description: string }>;
export type SchemaObject = Exclude<NonNullable<ParameterObject['schema']>, { $ref: string }>;
export type SchemaOrRef = NonNullable<ParameterObject['schema']>;
export type ParameterObject = Extract<NonNullable<OperationObject['parameters']>[number], { in: string }>;

export type Schemas = Readonly<Record<string, SchemaOrRef>>;

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** One operation and where it is. */
export interface LocatedOperation {
  readonly path: string;
  readonly method: Method;
  readonly operation: OperationObject;
}

/** All operations of a document, in its order. */
export function operationsOf(document: OpenAPIObject): LocatedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

/** Parameters of an operation; this service describes them in place. */
export const parametersOf = (operation: OperationObject): ParameterObject[] =>
  (operation.parameters ?? []).filter((parameter): parameter is ParameterObject => 'in' in parameter);

/** A sentence ends where the next one begins with a capital, a figure or code. */
const FIRST_SENTENCE = /^(.+?[.!?])\s+(?=[A-Z0-9`"'‘“(])/s;

/** Lines of a doc comment as one paragraph; empty lines stay between paragraphs. */
const unwrap = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .join('\n\n')
    .trim();

/**
 * The doc comment of a handler arrives as its description. Without a given summary, the first sentence is the
 * summary and what follows the description. Summaries are one line without a full stop.
 */
export function splitTexts(operation: OperationObject): void {
  const text = unwrap(operation.description ?? '');
  const given = unwrap(operation.summary ?? '');
  const first = given || (FIRST_SENTENCE.exec(text)?.[1] ?? text);
  const rest = given ? text : text.slice(first.length).trim();
  operation.summary = first.replace(/\.$/, '');
  if (rest) operation.description = rest;
  else delete operation.description;
}
