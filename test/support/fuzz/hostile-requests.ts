import fc from 'fast-check';
import { Operation, Parameter } from '../world/operations';
import type { ValidRequest } from '../world/requests';
import { toWire } from '../world/requests';
import { HOSTILE_TEXTS, hostileValue, mutated, toJson } from './hostile-values';
import { valuesOf } from './schema-values';

/** A request as it is printed when it has shown something. */
export interface HostileRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Its bytes as Latin-1. */
  readonly body: string | null;
  /** Whether the path is still one of the operation's. */
  readonly isOfOperation: boolean;
}

/** Percent-encodes a text as a client that does not care whether it is well-formed. */
const encoded = (text: string): string =>
  [...Buffer.from(text.slice(0, 4_000), 'utf8')]
    .map((byte) =>
      /[A-Za-z0-9._~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');

/** Already encoded, or not at all. */
const BROKEN_ENCODINGS = [
  '%',
  '%zz',
  '%00',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  'a%ed%bf%bfb',
  'a%00b',
  `%61`.repeat(3_000),
  '%2e%2e%2f',
  '%2f',
  '%u0041',
  '+',
  '%25',
  '%0d%0a',
];

const pathValue = (valid: string): fc.Arbitrary<{ value: string; keepsRoute: boolean }> =>
  fc.oneof(
    { arbitrary: fc.constant({ value: encodeURIComponent(valid), keepsRoute: true }), weight: 14 },
    {
      arbitrary: fc.constantFrom(
        ...[valid.toUpperCase(), `${valid} `, valid.replaceAll('-', ''), `{${valid}}`, `${valid}-1`].map(
          (value) => ({
            value: encoded(value),
            keepsRoute: true,
          }),
        ),
      ),
      weight: 1,
    },
    {
      arbitrary: fc
        .oneof(
          fc.uuid(),
          fc.constantFrom('bulk_operation-0', 'bulk_operation-99999999999999999999', 'x-1', '-1', 'a-b-1'),
          fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
          fc.constantFrom(...HOSTILE_TEXTS.filter((text) => text !== '')),
        )
        .map((value) => ({ value: encoded(value), keepsRoute: !['.', '..'].includes(value) })),
      weight: 2,
    },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('', encodeURIComponent(valid)), fc.constantFrom(...BROKEN_ENCODINGS))
        .map(([start, end]) => ({ value: start + end, keepsRoute: true })),
      weight: 1,
    },
    {
      arbitrary: fc
        .constantFrom('', '.', '..', 'events', 'reorder', 'run')
        .map((value) => ({ value, keepsRoute: false })),
      weight: 1,
    },
  );

const texts = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** A parameter as it should be, or as it should not. */
function queryPart({ name, schema = {} }: Parameter, valid: string | undefined): fc.Arbitrary<string> {
  const key = encodeURIComponent(name);
  const good = valuesOf(schema, valid).map((value) => `${key}=${encoded(texts(value))}`);
  const hostile = hostileValue.map((value) => `${key}=${encoded(texts(value))}`);
  return fc.oneof(
    { arbitrary: good, weight: 8 },
    { arbitrary: hostile, weight: 4 },
    {
      arbitrary: fc
        .tuple(
          good,
          fc.constantFrom('twice', 'array', 'object', 'deep', 'proto', 'bare', 'broken', 'poisoned'),
        )
        .map(([part, way]) => {
          const value = part.slice(key.length + 1);
          if (way === 'twice') return `${part}&${part}`;
          if (way === 'array') return `${key}[]=${value}`;
          if (way === 'object') return `${key}[x]=${value}`;
          if (way === 'deep') return `${key}${'[x]'.repeat(50)}=${value}`;
          if (way === 'proto') return `${key}[__proto__]=${value}&__proto__[${key}]=${value}`;
          if (way === 'poisoned') return `${part}%00%ed%a0%80`;
          return way === 'bare' ? key : `${key}=%zz%`;
        }),
      weight: 3,
    },
  );
}

function queryOf(request: ValidRequest): fc.Arbitrary<string> {
  const { operation, query } = request;
  const valid = new URLSearchParams(query as Record<string, string>).toString();
  if (operation.query.length === 0)
    return fc.oneof(
      { arbitrary: fc.constant(''), weight: 9 },
      {
        arbitrary: fc.constantFrom('x=1', '__proto__[x]=1', 'x[]=1&x[]=2', '%', '&&&', 'limit=0&page=-1'),
        weight: 1,
      },
    );
  const parts = operation.query.map((parameter) =>
    fc.option(queryPart(parameter, query[parameter.name]), { freq: parameter.required ? 8 : 1, nil: '' }),
  );
  return fc.oneof(
    { arbitrary: fc.constant(valid), weight: 1 },
    { arbitrary: fc.tuple(...parts).map((all) => all.filter((part) => part !== '').join('&')), weight: 3 },
  );
}

const VALUES_OF_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    'text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=x-unknown',
    'application/JSON;charset="utf-8"',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    '/',
    ';;;',
    '',
  ],
  'content-encoding': ['gzip', 'br', 'deflate', 'identity', 'x-unknown', 'gzip, gzip'],
  range: [
    'bytes=0-',
    'bytes=5-1',
    'bytes=-0',
    'bytes=-5',
    'bytes=99999999999999999999-',
    'bytes=0-0,2-3',
    'bytes=a-b',
    'items=0-1',
    'bytes=',
    'bytes=-',
    `bytes=${'0-0,'.repeat(500)}0-0`,
  ],
  'if-none-match': ['*', '"x"', 'W/"x"', 'x', '"', '"a", "b"'],
  'if-match': ['*', '"x"'],
  'if-range': ['"x"', 'Mon, 99 Foo 2026 00:00:00 GMT', 'x'],
  'if-modified-since': ['x', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'last-event-id': [
    '',
    '0',
    'x',
    '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    '-1',
    'ÿ'.repeat(100),
    'a'.repeat(4_000),
  ],
  'idempotency-key': [
    '',
    ' ',
    'k',
    'a'.repeat(255),
    'a'.repeat(256),
    'a'.repeat(4_000),
    'ÿÿ',
    '"quoted"',
    '__proto__',
  ],
  'accept-language': ['', '*', 'de;q=x', 'x'.repeat(4_000), ',,,,', 'en-US,en;q=0.9,*;q=0'],
  accept: ['', '*/*', 'text/html', 'application/xml', 'x', '*/*;q=0', 'text/event-stream'],
  authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Bearer a.b.c',
    'Basic eDp5',
    'Bearer mrk_',
    'Bearer ÿÿÿ',
    `Bearer ${'a'.repeat(6_000)}`,
    'bearer  x  y',
  ],
  cookie: [
    'mailroom_access=x',
    'mailroom_access=%zz',
    '=;=;',
    'mailroom_refresh=x; mailroom_refresh=y',
    'a=j:{"x":1}',
    '__proto__=x',
  ],
  origin: ['null', 'http://evil.example', 'x'],
  'x-forwarded-for': ['x', '1.2.3.4, ::1', ','.repeat(100)],
  'x-archive-passphrase': ['', 'x', 'ÿ', 'a'.repeat(3_000), '%zz', '=?utf-8?q?x?='],
  'x-request-id': ['', 'x', 'ÿ', 'a'.repeat(3_000), '{"a":1}'],
  'transfer-encoding': [],
};

const someHeader: fc.Arbitrary<Record<string, string>> = fc
  .constantFrom(...Object.entries(VALUES_OF_HEADERS).filter(([, values]) => values.length > 0))
  .chain(([name, values]) => fc.constantFrom(...values).map((value) => ({ [name]: value })));

const headersOf: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 5 },
  { arbitrary: someHeader, weight: 2 },
  { arbitrary: fc.tuple(someHeader, someHeader).map(([one, other]) => ({ ...one, ...other })), weight: 1 },
);

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Bodies that are no JSON, or none of an object. */
const BROKEN_BODIES: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '""',
  '0',
  'true',
  'NaN',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"b":2}',
  '\ufeff{}',
  '{"a":"\u0000"}',
  '{"__proto__":null}',
  '['.repeat(5_000),
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  '{"a":1e99999}',
  ' '.repeat(20_000),
  'a=1&b=2',
]
  .map(latin1)
  .concat(['\xff\xfe{\x00}\x00', '{"a":"\xff\xc0\xaf"}', `{"a":"${'x'.repeat(200_000)}"}`]);

function jsonBody(request: ValidRequest): fc.Arbitrary<string | null> {
  const { operation, body } = request;
  const broken = fc.constantFrom(...BROKEN_BODIES);
  if (!operation.body)
    return fc.oneof(
      { arbitrary: fc.constant(null), weight: 12 },
      {
        arbitrary: fc.oneof(
          broken,
          hostileValue.map((value) => latin1(toJson(value))),
        ),
        weight: 1,
      },
    );
  const fitting = valuesOf(operation.body, body);
  return fc.oneof(
    { arbitrary: fc.constant(body === undefined ? null : latin1(toJson(body))), weight: 3 },
    { arbitrary: fitting.map((value) => latin1(toJson(value))), weight: 8 },
    { arbitrary: mutated(body ?? {}).map((value) => latin1(toJson(value))), weight: 8 },
    { arbitrary: fitting.chain(mutated).map((value) => latin1(toJson(value))), weight: 6 },
    { arbitrary: broken, weight: 3 },
    { arbitrary: fc.constant(null), weight: 1 },
  );
}

/** A form, cut, changed and doubled. */
function formBody(form: string): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constant(form), weight: 2 },
    { arbitrary: fc.nat({ max: form.length }).map((end) => form.slice(0, end)), weight: 2 },
    {
      arbitrary: fc
        .constantFrom<[string, string]>(
          ['name="file"', 'name="other"'],
          ['name="file"', ''],
          ['; filename="mail.mbox"', ''],
          ['filename="mail.mbox"', 'filename="../../x\0.gz"'],
          ['filename="mail.mbox"', `filename="${'x'.repeat(3_000)}"`],
          ['Content-Disposition', 'X-Nothing'],
          ['From x@example.org', '\x1f\x8b\x08\x00garbage'],
          ['From x@example.org', '\0\0\0'],
          ['--\r\n', `\r\n${form}`],
        )
        .map(([from, to]) => form.replace(from, to)),
      weight: 3,
    },
    {
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      weight: 1,
    },
  );
}

/** Requests of an operation, from valid ones to garbage, made of a valid one. */
export function hostileRequests(valid: ValidRequest, token: string | null): fc.Arbitrary<HostileRequest> {
  const operation: Operation = valid.operation;
  const wire = toWire(valid, token);
  const parameters = operation.pathParameters.map((name) => pathValue(valid.parameters[name]!));
  const body: fc.Arbitrary<string | null> =
    valid.file === undefined ? jsonBody(valid) : formBody(wire.body!.toString('latin1'));
  return fc
    .tuple(fc.tuple(...parameters), queryOf(valid), headersOf, body)
    .map(([values, query, headers, content]) => {
      let index = 0;
      const path = operation.path.replace(/\{\w+\}/g, () => values[index++]!.value);
      const type = valid.file === undefined ? 'application/json' : (wire.headers!['content-type'] as string);
      return {
        method: operation.method,
        target: query === '' ? path : `${path}?${query}`,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(content === null ? {} : { 'content-type': type }),
          ...headers,
        },
        body: content,
        isOfOperation: values.every(({ keepsRoute }) => keepsRoute),
      };
    });
}
