/** A schema of OpenAPI 3.0 as the parsed document has it. */
type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A schema of OpenAPI 3.0 as a JSON Schema that ajv takes: `nullable` becomes a type, and objects are closed, so that
 * what a document does not mention is found. References stay as they are.
 */
export function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (!isNode(value)) return value;
  const { nullable, example: _example, ...schema } = value;
  const converted: Node = {};
  for (const [name, child] of Object.entries(schema)) {
    converted[name] = name === 'properties' ? propertiesOf(child as Node) : toJsonSchema(child);
  }
  if (isNode(schema['properties']) && schema['additionalProperties'] === undefined) {
    converted['additionalProperties'] = false;
  }
  return nullable === true ? { anyOf: [converted, { type: 'null' }] } : converted;
}

const propertiesOf = (properties: Node): Node =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toJsonSchema(schema)]));
