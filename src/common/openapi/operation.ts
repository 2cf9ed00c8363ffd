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
