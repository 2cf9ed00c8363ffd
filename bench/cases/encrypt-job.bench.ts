import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source-options';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { generateArchivedMails } from '../../test/support/archive/generated-mails';
import { BenchEnvironment, setStage, Stage } from '../bench-environment';
import { compare, REFERENCES } from '../references';
import type { Figure } from '../report';

const MIB = 1024 * 1024;
const MAILS = Number(process.env.BENCH_ENCRYPTION_MAILS ?? 2_000);
const MAIL_BYTES = 100 * 1024;
const LARGE = Number(process.env.BENCH_ENCRYPTION_LARGE ?? 20);
const LARGE_BYTES = 20 * MIB;
const PASSPHRASE = 'correct horse battery staple';

/** Encrypts an archive on disk: many mails of ordinary size, then large ones that are streamed. */
export async function benchEncryptJob(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: 1, latencyMs: 0 });
  try {
    const { status } = await stage.user.api.post('/api/privacy/encryption/setup', { passphrase: PASSPHRASE });
    if (status !== 200) throw new Error(`setup answered ${status}`);
    await fill(environment, stage, MAILS, MAIL_BYTES);
    const small = await encrypt(stage, MAILS);
    await fill(environment, stage, LARGE, LARGE_BYTES);
    const large = await encrypt(stage, LARGE);
    const largeRate = (LARGE * LARGE_BYTES) / MIB / large.seconds;
    const rate = MAILS / small.seconds;
    const megabytes = (MAILS * MAIL_BYTES) / MIB / small.seconds;
    return [
      {
        work: `encryption of ${MAILS.toLocaleString('en')} mails of 100 KB on disk`,
        measured: `${rate.toFixed(0)} mails/s, ${megabytes.toFixed(0)} MiB/s, peak RSS ${small.peak.toFixed(0)} MiB`,
        compared: compare(REFERENCES.encrypt, rate),
        budget: '≥ 1,000 mails/s, < 400 MB',
        met: rate >= 1_000 && small.peak < 381,
      },
      {
        work: `encryption of ${LARGE} mails of 20 MiB on disk`,
        measured: `${(LARGE / large.seconds).toFixed(1)} mails/s, ${largeRate.toFixed(0)} MiB/s, peak RSS ${large.peak.toFixed(0)} MiB`,
        budget: '< 400 MB',
        met: large.peak < 381,
      },
    ];
  } finally {
    await stage.stop();
  }
}

async function encrypt({ user, accountId, service }: Stage, count: number) {
  service.resetPeak();
  const startedAt = performance.now();
  const { status, body } = await user.api.post(`/api/privacy/${accountId}/encryption/encrypt`, {
    passphrase: PASSPHRASE,
  });
  if (status !== 202) throw new Error(`encrypt answered ${status}`);
  const job = await user.jobEnd(body.jobId as string, 600_000);
  const seconds = (performance.now() - startedAt) / 1_000;
  if (job.status !== 'completed' || job.processed !== count) {
    throw new Error(
      `${job.status}: ${job.processed} of ${count} encrypted, ${job.failed} failed: ${job.error}`,
    );
  }
  return { seconds, peak: service.memory().peak };
}

/** Rows as `generateArchivedMails` makes them, each with a file of its own bytes. */
async function fill(
  environment: BenchEnvironment,
  { user, accountId }: Stage,
  count: number,
  bytes: number,
): Promise<void> {
  const schema = { entities: ENTITIES, migrations: MIGRATIONS };
  const dataSource = await new DataSource(
    dataSourceOptions(environment.services.databaseUrl, schema, 2),
  ).initialize();
  try {
    await dataSource.query('DELETE FROM archived_mails WHERE account_id = $1', [accountId]);
    await generateArchivedMails(dataSource, { accountId, userId: user.id, count });
    const rows: { id: string; storage_key: string }[] = await dataSource.query(
      'SELECT id, storage_key FROM archived_mails WHERE account_id = $1',
      [accountId],
    );
    const content = randomBytes(bytes);
    for (const { id, storage_key: key } of rows) {
      content.write(id);
      const path = join(environment.directory, 'archive', key);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      await dataSource.query('UPDATE archived_mails SET size_bytes = $2, sha256 = $3 WHERE id = $1', [
        id,
        bytes,
        createHash('sha256').update(content).digest('hex'),
      ]);
    }
  } finally {
    await dataSource.destroy();
  }
}
