import type { DataSource } from 'typeorm';

/** Arbitrary values of columns that must not be null, by type. */
const VALUES: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `'x' || gen_random_uuid()`,
  'character varying': `left('x' || gen_random_uuid(), 8)`,
  integer: '1',
  bigint: '1',
  smallint: '1',
  boolean: 'false',
  date: 'now()',
  'timestamp with time zone': 'now()',
  jsonb: `'{}'`,
  bytea: `decode(replace(gen_random_uuid()::text, '-', ''), 'hex')`,
  ARRAY: `'{}'`,
  tsvector: `''`,
  'double precision': '1',
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Characters that it has room for; null where that is not limited. */
  readonly length: number | null;
  /** The table it refers to. */
  readonly target: string | null;
}

/** Inserts a row into a table, whatever its columns, that refers to the given rows of other tables. */
export async function insertAnyRow(
  database: DataSource,
  table: string,
  idsOf: (target: string) => Promise<string | undefined>,
): Promise<void> {
  const columns: Column[] = await database.query(
    `SELECT c.column_name AS name, c.data_type AS type, c.character_maximum_length AS length, c.is_nullable = 'NO' AND c.column_default IS NULL AS required,
            (SELECT f.confrelid::regclass::text FROM pg_constraint f
               JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
              WHERE f.contype = 'f' AND f.conrelid = $1::regclass AND a.attname = c.column_name LIMIT 1) AS target
       FROM information_schema.columns c WHERE c.table_schema = current_schema() AND c.table_name = $1::text`,
    [table],
  );
  const values: [string, string][] = [];
  for (const { name, type, required, length, target } of columns) {
    const id = target && (await idsOf(target));
    if (id) values.push([name, `'${id}'`]);
    // A cast cuts the text to the length of the column.
    else if (required && type === 'character')
      values.push([name, `gen_random_uuid()::text::char(${length})`]);
    else if (required && VALUES[type]) values.push([name, VALUES[type]]);
    else if (required) throw new Error(`No value for ${table}.${name} (${type})`);
  }
  const names = values.map(([name]) => `"${name}"`).join(', ');
  await database.query(
    `INSERT INTO "${table}" (${names}) SELECT ${values.map(([, value]) => value).join(', ')}`,
  );
}
