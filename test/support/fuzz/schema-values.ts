import fc from 'fast-check';
import { resolve, Schema } from '../world/operations';

/** Patterns of the document that fast-check makes texts of; of others the example is taken. */
function matching(pattern: string, example: unknown): fc.Arbitrary<unknown> {
  try {
    // At the usual size they take as long as hundreds of requests.
    return fc.stringMatching(new RegExp(pattern), { size: 'xsmall' });
  } catch {
    return fc.constant(example);
  }
}

function texts(schema: Schema): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = 300 } = schema;
  if (schema.format === 'uuid') return fc.oneof(fc.uuid({ version: 7 }), fc.uuid());
  if (schema.format === 'date-time')
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (schema.format === 'uri') return fc.nat({ max: 99 }).map((port) => `http://127.0.0.1:${port + 1}/x`);
  if (schema.pattern) return matching(schema.pattern, schema.example);
  // Code points; a pair of surrogates is two of what some count as length.
  const longest = Math.min(maxLength, 300);
  return fc.oneof(
    { arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: longest }), weight: 3 },
    { arbitrary: fc.constant('x'.repeat(Math.min(maxLength, 50_000))), weight: 1 },
  );
}

/**
 * Values that fit a schema.
 * @param known a value that is known to do, of which parts are taken now and then: ids of what there is
 */
export function valuesOf(schema: Schema, known?: unknown): fc.Arbitrary<unknown> {
  const resolved = resolve(schema);
  const choices = [fresh(resolved, known)];
  if (known !== undefined) choices.push(fc.constant(known));
  if (resolved.example !== undefined) choices.push(fc.constant(resolved.example));
  if (resolved.nullable) choices.push(fc.constant(null));
  return fc.oneof(...choices);
}

function fresh(schema: Schema, known: unknown): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return fc.oneof(...alternatives.map((alternative) => valuesOf(alternative)));
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.integer({
          min: Math.max(schema.minimum ?? -(2 ** 31), -(2 ** 31)),
          max: Math.min(schema.maximum ?? 2 ** 31 - 1, 2 ** 31 - 1),
        }),
        fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 2 ** 31 - 1),
      );
    case 'number':
      return fc.oneof(
        fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true }),
        fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) }),
      );
    case 'string':
      return texts(schema);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, Array.isArray(known) ? known[0] : undefined), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 8, 8),
      });
    case 'object':
      return objects(schema, known);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objects(schema: Schema, known: unknown): fc.Arbitrary<unknown> {
  const parts = (known ?? {}) as Record<string, unknown>;
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, valuesOf(property, parts[name])] as const,
  );
  return fc.record(Object.fromEntries(properties), { requiredKeys: [...(schema.required ?? [])] });
}
