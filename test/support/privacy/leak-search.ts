import type Redis from 'ioredis';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';

/** The secrets that must not be found, by a name that a failing test may print. */
export type Secrets = Readonly<Record<string, string>>;

/** A value that stands where it must not. */
export interface Leak {
  readonly secret: string;
  /** The encoding in which it was found, such as `base64`. */
  readonly form: string;
  readonly place: string;
}

/** Base64 of a value in the middle of something: three alignments, each without the characters that others share. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(Math.ceil((offset * 8) / 6), whole);
  });
}

/** Every way in which a value is looked for. */
function formsOf(value: string): [form: string, text: string][] {
  const bytes = Buffer.from(value, 'utf8');
  const base64 = base64Forms(bytes);
  const json = JSON.stringify(value).slice(1, -1);
  return [
    ['plain', value],
    ['without separators', value.replace(/[\s.-]/g, '')],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    [
      'ASCII JSON',
      json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['URL-encoded', encodeURIComponent(value)],
    ['form-encoded', new URLSearchParams([['', value]]).toString().slice(1)],
    ['octets of a header', bytes.toString('latin1')],
    ['HTML', value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')],
    ['hex', bytes.toString('hex')],
    ...base64.map((text): [string, string] => ['base64', text]),
    ...base64.map((text): [string, string] => ['base64url', text.replace(/\+/g, '-').replace(/\//g, '_')]),
  ];
}

/** Looks for secrets in texts and bytes, in every usual encoding. Upper and lower case are one. */
export class LeakSearch {
  private readonly forms: readonly { secret: string; form: string; text: string }[];

  constructor(secrets: Secrets) {
    this.forms = Object.entries(secrets).flatMap(([secret, value]) =>
      formsOf(value).map(([form, text]) => ({ secret, form, text: text.toLowerCase() })),
    );
  }

  in(place: string, content: string | Buffer): Leak[] {
    const texts = Buffer.isBuffer(content)
      ? [content.toString('utf8'), content.toString('latin1')]
      : [content];
    const leaks = new Map<string, Leak>();
    for (const text of texts.map((each) => each.toLowerCase())) {
      for (const { secret, form, text: wanted } of this.forms) {
        if (!leaks.has(secret) && text.includes(wanted)) leaks.set(secret, { secret, form, place });
      }
    }
    return [...leaks.values()];
  }

  /** Every column of every row of every table; `place` is `table.column`. */
  async inDatabase(client: Client): Promise<Leak[]> {
    const { rows: columns } = await client.query<{ table: string; column: string }>(
      `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS table, quote_ident(column_name) AS column
         FROM information_schema.columns
         JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    if (columns.length === 0) throw new Error('The database has no tables');
    const leaks: Leak[] = [];
    for (const { table, column } of columns) {
      const { rows } = await client.query<{ text: string | null }>(
        `SELECT string_agg(${column}::text, E'\\n') AS text FROM ${table}`,
      );
      leaks.push(...this.in(`${table}.${column}`, rows[0]?.text ?? ''));
    }
    return leaks;
  }

  /** Every key that has the prefix, and its value whatever its type. */
  async inRedis(redis: Redis, prefix: string): Promise<{ keys: number; leaks: Leak[] }> {
    const leaks: Leak[] = [];
    let keys = 0;
    for await (const batch of redis.scanStream({ match: `*${prefix}*`, count: 1_000 })) {
      for (const key of batch as string[]) {
        keys += 1;
        leaks.push(...this.in(`Redis ${key}`, `${key}\n${JSON.stringify(await valueOf(redis, key))}`));
      }
    }
    return { keys, leaks };
  }

  /** Every file below a folder: its path and its content. */
  inFiles(folder: string, except: (path: string) => boolean = () => false): Leak[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !except(path))
      .flatMap((path) => this.in(path, Buffer.concat([Buffer.from(`${path}\n`), readFileSync(path)])));
  }
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  switch (type) {
    case 'string':
      return (await redis.getBuffer(key))?.toString('latin1');
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, -1);
    case 'stream':
      return redis.xrange(key, '-', '+');
    case 'none':
      return null;
    default:
      throw new Error(`${key} is of a type that nobody looks into: ${type}`);
  }
}
