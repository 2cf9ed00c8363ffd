import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source-options';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { generateArchivedMails } from '../../test/support/archive/generated-mails';
import { BenchEnvironment, setStage, Stage } from '../bench-environment';
import type { Figure } from '../report';

const MAILS = Number(process.env.BENCH_RETENTION_MAILS ?? 100_000);
/** Generated mails lie a minute apart: those of the last day are kept. */
const KEPT = 24 * 60;
const FILE_BYTES = 2_048;
const CONCURRENT_WRITES = 32;

/** A retention run over many mails, rows and files; nothing else may go, and nothing may be left of them. */
export async function benchRetention(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: 1, latencyMs: 0 });
  try {
    const root = join(environment.directory, 'archive');
    await fill(environment, stage, root);
    const { api } = stage.user;
    const { body: policy } = await api.post('/api/retention', { name: 'Old', maxAgeDays: 1 });
    const previewAt = performance.now();
    const { body: preview } = await api.get(`/api/retention/${policy.id}/preview`);
    const previewMs = performance.now() - previewAt;
    stage.service.resetPeak();
    const startedAt = performance.now();
    const { status, body } = await api.post('/api/retention/run');
    const seconds = (performance.now() - startedAt) / 1_000;
    if (status !== 200) throw new Error(`run answered ${status}`);
    const { peak } = stage.service.memory();
    const files = (await readdir(join(root, stage.user.id), { recursive: true })).filter((name) =>
      name.endsWith('.eml'),
    ).length;
    const list = await api.get(`/api/archive/${stage.accountId}/mails?limit=1`);
    const total = list.body.total as number;
    const rate = body.totalDeleted / seconds;
    const exact = body.totalDeleted >= MAILS && files === total && total >= KEPT - 30 && total <= KEPT;
    return [
      {
        work: `retention preview, ${(preview.count as number).toLocaleString('en')} mails`,
        measured: `${previewMs.toFixed(0)} ms`,
        budget: '≤ 1 s',
        met: previewMs <= 1_000,
      },
      {
        work: `retention of ${(body.totalDeleted as number).toLocaleString('en')} mails, rows and files`,
        measured: `${seconds.toFixed(1)} s, ${rate.toFixed(0)} mails/s, peak RSS ${peak.toFixed(0)} MiB, ${total} mails and ${files} files left`,
        budget: '≥ 1,000 mails/s, nothing left behind, < 400 MB',
        met: rate >= 1_000 && exact && peak < 381,
      },
    ];
  } finally {
    await stage.stop();
  }
}

async function fill(environment: BenchEnvironment, stage: Stage, root: string): Promise<void> {
  const schema = { entities: ENTITIES, migrations: MIGRATIONS };
  const dataSource = await new DataSource(
    dataSourceOptions(environment.services.databaseUrl, schema, 2),
  ).initialize();
  try {
    const { accountId, user } = stage;
    await generateArchivedMails(dataSource, { accountId, userId: user.id, count: MAILS + KEPT });
    const rows: { storage_key: string }[] = await dataSource.query(
      'SELECT storage_key FROM archived_mails WHERE account_id = $1',
      [accountId],
    );
    await writeFiles(rows.map(({ storage_key: key }) => join(root, key)));
  } finally {
    await dataSource.destroy();
  }
}

async function writeFiles(paths: readonly string[]): Promise<void> {
  const bytes = Buffer.alloc(FILE_BYTES, 'x');
  for (const directory of new Set(paths.map((path) => dirname(path)))) {
    await mkdir(directory, { recursive: true });
  }
  const waiting = paths.values();
  const write = async (): Promise<void> => {
    for (const path of waiting) await writeFile(path, bytes);
  };
  await Promise.all(Array.from({ length: CONCURRENT_WRITES }, write));
}
