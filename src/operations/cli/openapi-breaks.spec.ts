import { type ApiDocument, breakingChanges } from './openapi-breaks';

type Json = Record<string, unknown>;

/** A document with one operation, which takes `request` and answers `response`. */
function documentOf({ request, response, ...rest }: { request?: Json; response?: Json } & Json): ApiDocument {
  const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
  return {
    paths: {
      '/things': {
        post: {
          operationId: 'things_create',
          ...(request && { requestBody: { required: true, ...json(request) } }),
          responses: { 200: response ? json(response) : {}, 400: {} },
          ...rest,
        },
      },
    },
  };
}

const object = (properties: Json, required: string[] = []): Json => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

const changes = (before: Parameters<typeof documentOf>[0], now: Parameters<typeof documentOf>[0]): string[] =>
  breakingChanges(documentOf(before), documentOf(now));

describe('breakingChanges', () => {
  it('should find nothing between a document and itself', () => {
    const same = { request: object({ a: text }, ['a']), response: object({ b: text }, ['b']) };
    expect(changes(same, same)).toEqual([]);
  });

  it('should allow new operations, optional fields of requests, fields and enum values of answers', () => {
    const before = documentOf({
      request: object({ a: text }),
      response: object({ state: { type: 'string', enum: ['on'] } }, ['state']),
    });
    const now = documentOf({
      request: object({ a: text, b: text }),
      response: object({ state: { type: 'string', enum: ['on', 'off'] }, more: text }, ['state', 'more']),
    });
    const added = { ...now, paths: { ...now.paths, '/others': { get: { responses: {} } } } };
    expect(breakingChanges(before, added)).toEqual([]);
  });

  it.each<[string, Json, Json, string]>([
    [
      'a field became required',
      object({ a: text }),
      object({ a: text }, ['a']),
      'the field a became required',
    ],
    ['a field is gone', object({ a: text }), object({}), 'the field a is gone'],
    ['another type', object({ a: text }), object({ a: { type: 'number' } }), 'type string became number'],
    [
      'another default',
      object({ a: { ...text, default: 'x' } }),
      object({ a: { ...text, default: 'y' } }),
      'the default "x" became "y"',
    ],
    ['no default', object({ a: { ...text, default: 'x' } }), object({ a: text }), 'the default "x" became –'],
    [
      'a value is gone',
      { type: 'string', enum: ['a', 'b'] },
      { type: 'string', enum: ['a'] },
      'the value b is gone',
    ],
    ['only certain values', text, { type: 'string', enum: ['a'] }, 'takes certain values only'],
    ['null is refused', { type: 'string', nullable: true }, text, 'null is refused'],
    ['a lower maximum', { type: 'number', maximum: 10 }, { type: 'number', maximum: 9 }, 'maximum is 9'],
    ['a new minimum', { type: 'number' }, { type: 'number', minimum: 1 }, 'minimum is 1'],
    ['another pattern', text, { type: 'string', pattern: '^a' }, 'must match ^a'],
    ['fewer forms', { oneOf: [text, { type: 'number' }] }, { oneOf: [text] }, 'oneOf has fewer forms'],
  ])('should find in requests: %s', (_, before, now, expected) => {
    const found = changes({ request: before }, { request: now });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`: ${expected.replaceAll('^', '\\^')}$`));
  });

  it.each<[string, Json, Json, string]>([
    ['a field is gone', object({ a: text }, ['a']), object({}), 'the field a is gone'],
    ['a field may be missing', object({ a: text }, ['a']), object({ a: text }), 'the field a may be missing'],
    ['may be null', text, { type: 'string', nullable: true }, 'may be null'],
    [
      'items of another type',
      { type: 'array', items: text },
      { type: 'array', items: { type: 'number' } },
      'type string became number',
    ],
  ])('should find in answers: %s', (_, before, now, expected) => {
    const found = changes({ response: before }, { response: now });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`: ${expected}$`));
  });

  it('should allow more lenient requests and stricter answers', () => {
    const loose = { type: 'string', nullable: true, maxLength: 20 };
    const strict = { type: 'string', maxLength: 10 };
    expect(changes({ request: strict }, { request: loose })).toEqual([]);
    expect(changes({ response: loose }, { response: strict })).toEqual([]);
  });

  it('should find removed or renamed operations, parameters and answers', () => {
    expect(breakingChanges(documentOf({}), { paths: {} })).toEqual(['POST /things: is gone']);
    expect(changes({}, { operationId: 'things_make' })).toEqual([
      'POST /things: operationId things_create became things_make',
    ]);
    const parameter = (required: boolean): Json => ({
      parameters: [{ name: 'q', in: 'query', required, schema: text }],
    });
    expect(changes({}, parameter(true))).toEqual(['POST /things: query parameter q became required']);
    expect(changes({}, parameter(false))).toEqual([]);
    expect(changes(parameter(false), {})).toEqual(['POST /things: query parameter q is gone']);
    expect(changes({}, { responses: { 202: {} } })).toEqual(['POST /things: no longer answers 200']);
    expect(changes({ request: object({}) }, {})).toEqual(['POST /things: takes no body any more']);
  });

  it('should find operations that no longer accept API keys of a scope that was sufficient', () => {
    const scoped = (scope: string): Json => ({ 'x-api-key-scope': scope });
    expect(changes(scoped('read'), scoped('write'))).toEqual([
      'POST /things: API keys of scope read are refused',
    ]);
    expect(changes(scoped('write'), scoped('none'))).toHaveLength(1);
    expect(changes(scoped('none'), scoped('read'))).toEqual([]);
  });

  it('should follow references once, through recursive schemas and through allOf', () => {
    const withTree = (leaf: Json): ApiDocument => ({
      ...documentOf({ response: { $ref: '#/components/schemas/Tree' } }),
      components: {
        schemas: {
          Leaf: object({ leaf }, ['leaf']),
          Tree: {
            allOf: [{ $ref: '#/components/schemas/Leaf' }],
            ...object({ children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }),
          },
        },
      },
    });
    expect(breakingChanges(withTree(text), withTree(text))).toEqual([]);
    expect(breakingChanges(withTree(text), withTree({ type: 'number' }))).toEqual([
      'Tree (response).leaf: type string became number',
    ]);
  });
});
