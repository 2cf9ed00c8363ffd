import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source-options';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { BenchEnvironment, setStage, type Stage } from '../bench-environment';
import { latency, quantile, type Figure } from '../report';

const MESSAGES = Number(process.env.BENCH_KEEP_MESSAGES ?? 1_000_000);
const ASKED = 10_000;
const READS = 100;
const P95_MS = 20;
const DELETABLE_MS = 1_000;
const ROW_BYTES = 120;

/** What the ledger of a large mailbox answers, and what may be deleted of it. */
export async function benchKeep(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: 1, latencyMs: 0 });
  try {
    const rowBytes = await fill(environment, stage.accountId);
    const path = `/api/coverage/${stage.accountId}`;
    await stage.sandbox.resetStats();
    return [
      await reads(stage, 'overview', () => path),
      await reads(stage, 'a page of any class', (number) => `${path}/messages?after=${place(number)}`),
      await reads(stage, 'a page of the verified', () => `${path}/messages?class=verified`),
      await reads(stage, 'a page of the archived', () => `${path}/messages?class=archived`),
      await reads(stage, 'a page of an exclusion', () => `${path}/messages?exclusion=label:rare`),
      await reads(stage, 'a page of the pending', () => `${path}/messages?class=pending`),
      await reads(stage, 'one message', (number) => `${path}/messages/${idOf(number * 997)}`),
      await deletable(stage, `${path}/deletable`),
      rowSize(rowBytes),
    ];
  } finally {
    await stage.stop();
  }
}

const idOf = (number: number): string => String(number % MESSAGES).padStart(16, '0');
const place = (number: number): string =>
  Buffer.from(`-infinity ${idOf(number * 9_973)}`).toString('base64url');

interface RowBytes {
  readonly table: number;
  readonly indexes: number;
}

/**
 * Of ten messages eight are verified, one is archived only, one is excluded or waits.
 * @returns what a message takes on disk, on average
 */
async function fill(environment: BenchEnvironment, accountId: string): Promise<RowBytes> {
  const options = dataSourceOptions(
    environment.services.databaseUrl,
    { entities: ENTITIES, migrations: MIGRATIONS },
    2,
  );
  const dataSource = await new DataSource({ ...options, extra: {} }).initialize();
  try {
    await dataSource.query(
      `INSERT INTO archiving_settings (account_id, mode, exact) VALUES ($1, 'watch', true)`,
      [accountId],
    );
    await dataSource.query(
      `INSERT INTO mailbox_index_states (account_id, cursor, synced_at) VALUES ($1, '1', now()) ON CONFLICT DO NOTHING`,
      [accountId],
    );
    await dataSource.query(
      `INSERT INTO ledger_messages (account_id, message_id, class, exclusion, verified_on, mail_id, size_bytes, due_at, label_ids)
       SELECT $1, lpad(n::text, 16, '0'), CASE WHEN n % 10 < 9 THEN 'archived' WHEN n % 20 = 9 THEN 'excluded' ELSE 'pending' END,
              CASE WHEN n % 20 = 9 THEN CASE WHEN n % 10000 = 9 THEN 'label:rare' ELSE 'spam' END END,
              CASE WHEN n % 10 < 8 THEN current_date - (n % 7)::int ELSE '-infinity' END,
              CASE WHEN n % 10 < 9 THEN gen_random_uuid() END, 50000,
              CASE WHEN n % 20 = 19 THEN now() END, ARRAY['INBOX', 'IMPORTANT', 'CATEGORY_UPDATES']
         FROM generate_series(0, $2::int - 1) AS n`,
      [accountId, MESSAGES],
    );
    await dataSource.query('VACUUM ANALYZE ledger_messages');
    const [size] = await dataSource.query(
      `SELECT pg_table_size('ledger_messages')::float / $1 AS "table", pg_indexes_size('ledger_messages')::float / $1 AS indexes`,
      [MESSAGES],
    );
    return size;
  } finally {
    await dataSource.destroy();
  }
}

const rowSize = ({ table, indexes }: RowBytes): Figure => ({
  work: 'a message of the ledger on disk',
  measured: `${table.toFixed(0)} bytes, and ${indexes.toFixed(0)} of indexes`,
  budget: '120 bytes',
  met: table <= ROW_BYTES,
});

async function reads(stage: Stage, what: string, path: (number: number) => string): Promise<Figure> {
  const samples: number[] = [];
  for (let number = 0; number < READS; number += 1) {
    const startedAt = performance.now();
    const { status, body } = await stage.user.api.get(path(number));
    samples.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${path(number)} answered ${status}: ${JSON.stringify(body)}`);
  }
  return {
    work: `coverage of ${MESSAGES.toLocaleString('en')} messages, ${what}`,
    measured: latency(samples),
    budget: `p95 ≤ ${P95_MS} ms`,
    met: quantile(samples, 0.95) <= P95_MS,
  };
}

async function deletable(stage: Stage, path: string): Promise<Figure> {
  const messageIds = Array.from({ length: ASKED }, (_, number) => idOf(number * 91));
  const { units: before } = await stage.sandbox.stats();
  const startedAt = performance.now();
  const { status, body } = await stage.user.api.post(path, { messageIds });
  const ms = performance.now() - startedAt;
  if (status !== 200) throw new Error(`deletable answered ${status}: ${JSON.stringify(body)}`);
  const { units } = await stage.sandbox.stats();
  const calls = Object.keys(units).filter((endpoint) => units[endpoint] !== before[endpoint]).length;
  return {
    work: `which of ${ASKED.toLocaleString('en')} messages may be deleted`,
    measured: `${ms.toFixed(0)} ms, ${calls} kinds of provider calls`,
    budget: `≤ ${DELETABLE_MS / 1_000} s, no provider calls`,
    met: ms <= DELETABLE_MS && calls === 0 && body.messages.length === ASKED,
  };
}
