import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../support/app';
import { isOpenToBoundKeys, OPERATIONS } from '../support/world/operations';

const ROOT = join(__dirname, '../..');
const SNAPSHOT = join(__dirname, 'stable-names.json');

type Names = Record<string, readonly string[]>;

/**
 * Names that clients, operators and stored data depend on: a change of one is a decision, never a side effect. After a
 * deliberate change, `UPDATE_STABLE_NAMES=1` writes the file anew; its diff belongs in the commit.
 */
describe('Names that must not change by accident', () => {
  let sut: TestApp;

  beforeAll(async () => {
    sut = await startTestApp({ own: true, sandbox: { messages: 1 } });
  });

  afterAll(() => sut.close());

  it('should match the committed snapshot', async () => {
    const names: Names = {
      ...(await databaseSchema(sut)),
      ...literals(),
      environment: environmentVariables(),
      apiKeyScopes: apiKeyScopes(),
    };
    if (process.env['UPDATE_STABLE_NAMES'] === '1' || !existsSync(SNAPSHOT)) {
      writeFileSync(SNAPSHOT, `${JSON.stringify(names, null, 2)}\n`);
    }
    const expected = JSON.parse(readFileSync(SNAPSHOT, 'utf8')) as Names;
    const differences = [...new Set([...Object.keys(names), ...Object.keys(expected)])].flatMap((kind) => [
      ...minus(expected[kind], names[kind]).map((name) => `${kind}: gone: ${name}`),
      ...minus(names[kind], expected[kind]).map((name) => `${kind}: new: ${name}`),
    ]);
    expect(differences).toEqual([]);
    for (const kind of Object.keys(names)) expect(names[kind]!.length).toBeGreaterThan(0);
  });
});

const minus = (left: readonly string[] = [], right: readonly string[] = []): string[] =>
  left.filter((name) => !right.includes(name));

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** Literals of the sources, found by their form: they do not depend on the layout of the folders. */
function literals(): Names {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.startsWith('sandbox/'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'));
  const all = (pattern: RegExp): string[] =>
    sorted(sources.flatMap((source) => [...source.matchAll(pattern)].map((match) => match[1]!)));
  return {
    jobKinds: all(/defineJob(?:<[^>]*>)?\(\s*'([a-z_]+)'/g),
    errorCodes: all(/\bcode: '([a-z][a-z0-9-]+)'/g),
    auditActions: all(/\b(?:action|audited): '([a-z-]+\.[a-z-]+)'/g),
    jobActs: all(/\bact: '([a-z-]+\.[a-z-]+)'/g),
    events: all(/\bOccurrence<\s*'([^']+)'/g),
    metrics: all(/\bname: '(mailroom_[a-z_]+)'/g),
  };
}

function environmentVariables(): string[] {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  return sorted([...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]!));
}

/**
 * Operations that API keys may call otherwise than the rule has it, with the scope they need: the rule opens operations of an
 * account, to scope `read` for GET and to `write` for all else, and closes the others. `bound` are operations of a user that
 * keys bound to accounts may call too.
 */
function apiKeyScopes(): string[] {
  return sorted(
    OPERATIONS.filter(({ needsToken }) => needsToken).flatMap((operation) => {
      const { key, method, pathParameters, keyScope } = operation;
      const isOfAccount = pathParameters.includes('accountId');
      const rule = !isOfAccount ? 'none' : method === 'GET' ? 'read' : 'write';
      const bound = !isOfAccount && keyScope !== 'none' && isOpenToBoundKeys(operation) ? ' bound' : '';
      return keyScope === rule ? [] : [`${key} ${keyScope}${bound}`];
    }),
  );
}

/** Tables, columns, indexes, constraints, triggers and functions as PostgreSQL describes them. */
async function databaseSchema(app: TestApp): Promise<Names> {
  const list = async (sql: string): Promise<string[]> => {
    const rows: { name: string }[] = await app.dataSource.query(sql);
    return sorted(rows.map((row) => row.name));
  };
  return {
    columns: await list(`
      SELECT format('%s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
        coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')) AS name
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relkind IN ('r', 'p')`),
    indexes: await list(`SELECT indexdef AS name FROM pg_indexes WHERE schemaname = 'public'`),
    constraints: await list(`
      SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS name
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'`),
    triggers: await list(`
      SELECT pg_get_triggerdef(t.oid) AS name FROM pg_trigger t WHERE NOT t.tgisinternal`),
    functions: await list(`
      SELECT format('%s %s', p.proname, md5(p.prosrc)) AS name FROM pg_proc p
      JOIN pg_language l ON l.oid = p.prolang
      WHERE p.pronamespace = 'public'::regnamespace AND l.lanname IN ('sql', 'plpgsql')
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`),
  };
}
