import fc from 'fast-check';

const BACKSLASH = String.fromCharCode(92);

/** Stands for JSON that no value is written as; see `toJson`. */
const RAW = '@raw:';

/** Texts that have broken programs before. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfffb',
  '\udc00\ud800',
  'a\ud800@example.org',
  'a@ex\udfffample.org',
  'a\u0000@example.org',
  `${'a'.repeat(20_000)}@example.org`,
  `a@${'a.'.repeat(10_000)}org`,
  'http://\ud800.example/',
  'http://127.0.0.1:1/\udfff?\u0000',
  `http://${'a.'.repeat(5_000)}example/`,
  '\ufeff',
  '\u202e',
  'e\u0301'.repeat(50),
  '👩‍👩‍👧‍👦',
  '\r\nX-Injected: yes',
  "'; DROP TABLE users; --",
  '%',
  '%_%',
  BACKSLASH,
  `${BACKSLASH}u0000`,
  '$1',
  '{{7*7}}',
  '${7*7}',
  '../../../../etc/passwd',
  '/dev/null',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  'true',
  '0x10',
  '1e3',
  '1e999',
  '-1',
  '0',
  '9007199254740993',
  '99999999999999999999999999',
  '2147483648',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01932c5e7d5b7c3a9d0e0f7f3c1a2b4d',
  '{01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d}',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31T23:59:60Z',
  '+275760-09-14T00:00:00Z',
  '-271821-04-19T00:00:00Z',
  '99999-01-01',
  '2026-01-01T00:00:00+99:99',
  'Europe/Nowhere',
  '(',
  '(a+)+$',
  '"unbalanced',
  '-',
  '- - -',
  'a'.repeat(256),
  'a'.repeat(10_000),
  'é'.repeat(2_001),
  ' '.repeat(5_000),
  'a@b@c',
  '@',
  'x'.repeat(65) + '@example.org',
  'http://',
  'http://[::1',
  'http://127.0.0.1:1/',
  'http://user:pass@127.0.0.1:1/',
  'https://169.254.169.254/latest/meta-data',
  '#zzz',
  '0d',
  '99999999999999999999y',
];

const nested = (depth: number, open: string, close: string): string =>
  `${RAW}${open.repeat(depth)}${close.repeat(depth)}`;

/** Half a surrogate pair between characters that are none. */
const withLoneSurrogates = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0xd7fe, max: 0xe001 }), fc.constantFrom(0x40, 0x61, 0x2e))
    .map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 12,
});

/** Insertions that make a valid text hostile, at any position. */
const POISON = ['\ud800', '\udfff', '\u0000', '\r\n', '\u202e', '\ufeff', 'a'.repeat(10_000), '%00', '..'];

/** A good text with something hostile in it, which the checks of its form may let through. */
const poisonedAt = (text: string, { at, poison }: { at: number; poison: string }): string =>
  text.slice(0, at) + poison + text.slice(at);

/** Values where another is expected. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.constantFrom(...HOSTILE_TEXTS), weight: 6 },
  {
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -0,
      -1,
      0.5,
      1e21,
      -1e21,
      Number.MAX_SAFE_INTEGER + 2,
      Number.MIN_VALUE,
      Number.MAX_VALUE,
      2 ** 31,
      2 ** 63,
      [],
      {},
      [null],
      [[]],
      [{}],
      [''],
      { length: 3 },
      { toString: 'x' },
      { toJSON: 'x' },
      { $ne: null },
      { type: 'Buffer', data: [1] },
      JSON.parse('{"__proto__": {"role": "admin"}}'),
      JSON.parse('{"constructor": {"prototype": {"role": "admin"}}}'),
      `${RAW}1e999`,
      `${RAW}-1e999`,
      `${RAW}123456789012345678901234567890`,
      nested(20, '[', ']'),
      nested(40, '[', ']'),
      nested(5_000, '[', ']'),
    ),
    weight: 5,
  },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 2 },
  { arbitrary: withLoneSurrogates, weight: 2 },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 2 },
  { arbitrary: fc.double(), weight: 1 },
  { arbitrary: fc.array(fc.string({ maxLength: 5 }), { minLength: 101, maxLength: 300 }), weight: 1 },
);

/** JSON text; what was made with `RAW` as it is. */
export const toJson = (value: unknown): string =>
  // Numbers JSON has no word for become null, as a careless client would send them.
  (JSON.stringify(value) ?? 'null').replace(new RegExp(`"${RAW}([^"]*)"`, 'g'), '$1');

/** A place in a JSON value. */
type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const parts = Object.entries(value);
  return [
    path,
    ...parts.flatMap(([key, part]) => pathsOf(part, [...path, Array.isArray(value) ? Number(key) : key])),
  ];
}

type Change =
  | { readonly kind: 'replace'; readonly value: unknown }
  | { readonly kind: 'remove' | 'wrap' | 'repeat' }
  | { readonly kind: 'poison'; readonly at: number; readonly poison: string }
  | { readonly kind: 'add'; readonly name: string; readonly value: unknown };

const own = (target: object, name: string | number, value: unknown): void =>
  void Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });

function changed(value: unknown, path: Path, change: Change): unknown {
  const [name, ...rest] = path;
  if (name === undefined) {
    if (change.kind === 'replace') return change.value;
    if (change.kind === 'wrap') return [value];
    if (change.kind === 'poison') return typeof value === 'string' ? poisonedAt(value, change) : value;
    if (change.kind === 'repeat') return Array.isArray(value) ? [...value, ...value] : value;
    if (change.kind === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const copy = { ...value };
      own(copy, change.name, change.value);
      return copy;
    }
    return value;
  }
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  if (rest.length === 0 && change.kind === 'remove') {
    if (Array.isArray(copy)) copy.splice(Number(name), 1);
    else delete copy[name];
  } else own(copy, name, changed(copy[name], rest, change));
  return copy;
}

const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'user_id',
  'role',
  'extra',
  '',
  '\ud800',
  '\u0000',
  'a'.repeat(10_000),
];

const change: fc.Arbitrary<Change> = fc.oneof(
  { arbitrary: hostileValue.map((value): Change => ({ kind: 'replace', value })), weight: 6 },
  { arbitrary: fc.constantFrom<Change>({ kind: 'remove' }, { kind: 'wrap' }, { kind: 'repeat' }), weight: 2 },
  {
    arbitrary: fc
      .record({ at: fc.nat({ max: 40 }), poison: fc.constantFrom(...POISON) })
      .map((where): Change => ({ kind: 'poison', ...where })),
    weight: 4,
  },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...HOSTILE_KEYS), hostileValue)
      .map(([name, value]): Change => ({ kind: 'add', name, value })),
    weight: 1,
  },
);

/** A JSON value with one to three places changed. */
export const mutated = (value: unknown): fc.Arbitrary<unknown> =>
  fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce<unknown>((current, [place, what]) => {
      const paths = pathsOf(current);
      return changed(current, paths[place % paths.length]!, what);
    }, value),
  );
