import { randomInt } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source-options';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { generateArchivedMails } from '../../test/support/archive/generated-mails';
import { pdfWith } from '../../test/support/archive/pdf-file';
import { BenchEnvironment, setStage, Stage } from '../bench-environment';
import { type Figure, latency, quantile } from '../report';
import { type Generated, generateMbox, importFile, scaled } from './import.bench';

const IMPORTED = 10_000;
const AVERAGE_BYTES = 8 * 1024;
const SMALL_ARCHIVE = 10_000;
const LARGE_ARCHIVE = 1_000_000;
const PDFS = 4_000;
const PAGES = 3;
const WORDS_A_PAGE = 450;
const VOCABULARY = 20_000;
/** Documents a second. */
const GOAL = 20;
const TIMEOUT_MS = 600_000;
const IDLE_MS = 10_000;

/** Pace of the search index: words in a small and in a large archive, and the text of documents beside requests and imports. */
export async function benchIndexing(environment: BenchEnvironment): Promise<Figure[]> {
  return [...(await benchWords(environment)), ...(await benchDocuments(environment))];
}

/** Imports into archives of different sizes. The first of the service, which loads and compiles code, does not count. */
async function benchWords(environment: BenchEnvironment): Promise<Figure[]> {
  const paces: number[] = [];
  const figures: Figure[] = [];
  for (const size of [SMALL_ARCHIVE, LARGE_ARCHIVE]) {
    const stage = await setStage(environment, { messages: 1 }, { READ_ATTACHMENTS: 'false' });
    const dataSource = await connect(environment);
    try {
      const { accountId, user } = stage;
      await generateArchivedMails(dataSource, { accountId, userId: user.id, count: scaled(size) });
      // They are of 40 GB, which a new user has no room for.
      await dataSource.query('UPDATE users SET storage_quota_bytes = $2 WHERE id = $1', [user.id, 1e12]);
      const before = await bytesOfIndex(dataSource);
      await importMails(environment, stage, AVERAGE_BYTES - 1);
      const startedAt = performance.now();
      const figure = await importMails(environment, stage, AVERAGE_BYTES);
      paces.push(scaled(IMPORTED) / ((performance.now() - startedAt) / 1000));
      const bytes = ((await bytesOfIndex(dataSource)) - before) / (2 * scaled(IMPORTED));
      figures.push({
        ...figure,
        work: `${figure.work}, into an archive of ${scaled(size).toLocaleString('en')}`,
        measured: `${figure.measured}; ${Math.round(bytes).toLocaleString('en')} bytes of words and their index a mail`,
      });
    } finally {
      await dataSource.destroy();
      await stage.stop();
    }
  }
  const share = paces[1]! / paces[0]!;
  figures.push({
    work: `pace with ${LARGE_ARCHIVE.toLocaleString('en')} mails, of that with ${SMALL_ARCHIVE.toLocaleString('en')}`,
    measured: `${Math.round(share * 100)} %`,
    budget: '≥ 80 %',
    met: share >= 0.8,
  });
  return figures;
}

async function importMails(
  environment: BenchEnvironment,
  stage: Stage,
  averageBytes: number,
): Promise<Figure> {
  const path = join(environment.directory, 'indexing.mbox');
  try {
    return await importFile(
      stage,
      await generateMbox(path, scaled(IMPORTED), averageBytes),
      'import of mbox',
    );
  } finally {
    await rm(path, { force: true });
  }
}

/** Documents are read in the background: beside an import, and beside requests. */
async function benchDocuments(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: 1 });
  const dataSource = await connect(environment);
  const { accountId } = stage;
  try {
    await importMails(environment, stage, AVERAGE_BYTES - 1);
    const alone = await timedImport(environment, stage, AVERAGE_BYTES);
    const idleUntil = performance.now() + IDLE_MS;
    const idle = await readLists(stage, () => Promise.resolve(performance.now() > idleUntil));

    const path = join(environment.directory, 'documents.mbox');
    const documents = await generateDocuments(path, scaled(PDFS));
    await importFile(stage, documents, 'import of PDFs');
    await rm(path);
    await waitForFirst(dataSource, accountId);
    const accompanied = await timedImport(environment, stage, AVERAGE_BYTES + 1);

    const startedAt = performance.now();
    const readBefore = await countRead(dataSource, accountId);
    let read = readBefore;
    const beside = await readLists(stage, async () => {
      read = await countRead(dataSource, accountId);
      return read >= documents.messages * 0.95 || performance.now() - startedAt > TIMEOUT_MS;
    });
    const pace = (read - readBefore) / ((performance.now() - startedAt) / 1000);
    const factor = quantile(beside, 0.95) / quantile(idle, 0.95);
    const kept = alone / accompanied;
    return [
      {
        work: `text of PDFs of ${PAGES} pages of ${WORDS_A_PAGE} words beside requests, pauses included`,
        measured: `${pace.toFixed(0)} a second (${(read - readBefore).toLocaleString('en')} read)`,
        budget: `≥ ${GOAL} a second`,
        met: pace >= GOAL,
      },
      {
        work: 'lists while documents are read',
        measured: `${latency(beside)}; idle ${latency(idle)}; ${factor.toFixed(1)} times as long (p95)`,
        budget: '≤ 2 times',
        met: factor <= 2,
      },
      {
        work: 'import while documents are read',
        measured: `${Math.round(kept * 100)} % of its pace`,
        budget: '≥ 90 %',
        met: kept >= 0.9,
      },
    ];
  } finally {
    await dataSource.destroy();
    await stage.stop();
  }
}

/** @returns seconds */
async function timedImport(
  environment: BenchEnvironment,
  stage: Stage,
  averageBytes: number,
): Promise<number> {
  const startedAt = performance.now();
  await importMails(environment, stage, averageBytes);
  return (performance.now() - startedAt) / 1000;
}

/** Asks for lists, one every 20 ms, and looks at every 25th whether that is over. @returns the milliseconds of each */
async function readLists(stage: Stage, isOver: () => Promise<boolean>): Promise<number[]> {
  const samples: number[] = [];
  for (let asked = 1; ; asked += 1) {
    const startedAt = performance.now();
    const { status } = await stage.user.api.get(`/api/archive/${stage.accountId}/mails?limit=50`);
    if (status !== 200) throw new Error(`the list answered ${status}`);
    samples.push(performance.now() - startedAt);
    if (asked % 25 === 0 && (await isOver())) return samples;
    await setTimeout(20);
  }
}

/** Waits until the first documents have been read. */
async function waitForFirst(dataSource: DataSource, accountId: string): Promise<void> {
  const endsAt = performance.now() + TIMEOUT_MS;
  while ((await countRead(dataSource, accountId)) === 0) {
    if (performance.now() > endsAt) throw new Error('no document was read');
    await setTimeout(50);
  }
}

async function countRead(dataSource: DataSource, accountId: string): Promise<number> {
  const rows: { read: number }[] = await dataSource.query(
    `SELECT count(*)::int AS read FROM archived_attachments
      WHERE account_id = $1 AND text_state = 'indexed' AND filename LIKE '%.pdf'`,
    [accountId],
  );
  return rows[0]!.read;
}

/** Writes an mbox of mails with one PDF each. */
async function generateDocuments(path: string, count: number): Promise<Generated> {
  const out = createWriteStream(path);
  for (let number = 0; number < count; number += 1) {
    const page = (): string =>
      Array.from({ length: WORDS_A_PAGE }, () => `w${Math.floor(VOCABULARY ** Math.random())}`).join(' ');
    const pdf = pdfWith(Array.from({ length: PAGES }, page));
    const lines = [
      'From sender@example.com Thu Jan  1 00:00:00 2015',
      'From: Sender <sender@example.com>',
      `Subject: Document ${number}`,
      `Message-ID: <document-${number}-${randomInt(1_000_000)}@example.com>`,
      `Date: ${new Date(Date.UTC(2016, 0, 1) + number * 60_000).toUTCString()}`,
      'MIME-Version: 1.0',
      `Content-Type: application/pdf; name="document-${number}.pdf"`,
      `Content-Disposition: attachment; filename="document-${number}.pdf"`,
      'Content-Transfer-Encoding: base64',
      '',
      pdf.toString('base64').replace(/(.{76})/g, '$1\n'),
      '',
      '',
    ];
    if (!out.write(lines.join('\n'))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return { path, bytes: (await stat(path)).size, messages: count };
}

/** Tables of words with their indexes, in bytes. */
async function bytesOfIndex(dataSource: DataSource): Promise<number> {
  const rows: { bytes: string }[] = await dataSource.query(
    `SELECT pg_total_relation_size('archived_mail_words') + pg_total_relation_size('archived_mail_passages') AS bytes`,
  );
  return Number(rows[0]!.bytes);
}

function connect(environment: BenchEnvironment): Promise<DataSource> {
  const schema = { entities: ENTITIES, migrations: MIGRATIONS };
  return new DataSource(dataSourceOptions(environment.services.databaseUrl, schema, 2)).initialize();
}
