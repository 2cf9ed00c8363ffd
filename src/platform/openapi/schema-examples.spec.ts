import type { SchemaOrRef } from './operation';
import { exampleOf } from './schema-examples';

const SCHEMAS: Record<string, SchemaOrRef> = {
  Label: { type: 'string', enum: ['system', 'user'] },
  Mail: {
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid' },
      subject: { type: 'string', example: 'Annual report' },
      label: { allOf: [{ $ref: '#/components/schemas/Label' }] },
    },
  },
};

describe('exampleOf', () => {
  it.each<[string, SchemaOrRef, unknown]>([
    ['its own example first', { type: 'integer', example: 7, default: 5 }, 7],
    ['an example of null', { type: 'string', nullable: true, example: null }, null],
    ['its default', { type: 'integer', minimum: 1, default: 5 }, 5],
    ['its first value', { $ref: '#/components/schemas/Label' }, 'system'],
    ['the least number', { type: 'integer', minimum: 3 }, 3],
    ['the first alternative', { oneOf: [{ type: 'boolean' }, { type: 'string' }] }, false],
    ['a value of its format', { type: 'string', format: 'date' }, '2026-05-04'],
    [
      'lists and objects put together from their parts',
      { type: 'array', items: { $ref: '#/components/schemas/Mail' } },
      [{ id: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d', subject: 'Annual report', label: 'system' }],
    ],
  ])('should be %s', (_what, schema, expected) => {
    expect(exampleOf(schema, SCHEMAS)).toEqual(expected);
  });

  it('should refuse a dangling reference', () => {
    expect(() => exampleOf({ $ref: '#/components/schemas/Gone' }, SCHEMAS)).toThrow('Gone');
  });
});
