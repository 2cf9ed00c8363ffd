import { ValidationFailed } from '../http/domain-error';
import { OperationObject, parametersOf, SchemaObject, SchemaOrRef, Schemas } from './operation';
import { resolveSchema } from './schema-examples';

/** The schema of a JSON body, if the operation takes one. */
export function jsonBodyOf({ requestBody }: OperationObject): SchemaOrRef | undefined {
  return requestBody && 'content' in requestBody
    ? requestBody.content['application/json']?.schema
    : undefined;
}

/** An example of the answer to wrong input; undefined when the operation takes nothing that is checked. */
export function exampleOfInvalid(operation: OperationObject, schemas: Schemas): ValidationFailed | undefined {
  const wrong = wrongField(operation, schemas) ?? wrongParameter(operation, schemas);
  if (!wrong) return undefined;
  const [field, schema] = wrong;
  return new ValidationFailed([{ field, message: `${field} ${complaintAbout(schema)}` }]);
}

function wrongField(operation: OperationObject, schemas: Schemas): [string, SchemaObject] | undefined {
  const body = jsonBodyOf(operation);
  if (!body) return undefined;
  const { properties, required } = resolveSchema(body, schemas);
  const field = required?.[0] ?? Object.keys(properties ?? {})[0];
  const schema = field === undefined ? undefined : properties?.[field];
  return field !== undefined && schema ? [field, resolveSchema(schema, schemas)] : undefined;
}

function wrongParameter(operation: OperationObject, schemas: Schemas): [string, SchemaObject] | undefined {
  const described = parametersOf(operation).flatMap(({ in: place, name, schema }) =>
    schema ? [{ place, name, schema: resolveSchema(schema, schemas) }] : [],
  );
  const wrong =
    described.find(({ place, schema }) => place === 'path' && schema.format === 'uuid') ??
    described.find(({ place }) => place === 'query') ??
    described.find(({ place, name }) => place === 'header' && name !== 'Range');
  return wrong && [wrong.name, wrong.schema];
}

/** The complaint of class-validator about a value that does not fit the schema. */
function complaintAbout({ format, enum: values, type }: SchemaObject): string {
  if (format === 'uuid') return 'must be a UUID';
  if (format === 'email') return 'must be an email';
  if (values) return `must be one of the following values: ${values.join(', ')}`;
  switch (type) {
    case 'array':
      return 'must be an array';
    case 'integer':
      return 'must be an integer number';
    case 'boolean':
      return 'must be a boolean value';
    case 'string':
      return 'must be a string';
    default:
      return 'should not be empty';
  }
}
