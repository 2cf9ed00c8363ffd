import type { DataSource } from 'typeorm';
import { READER_VERSION } from '../../../src/archive/mails/rereading/reader-version';

export interface GenerateMailsOptions {
  readonly accountId: string;
  readonly userId: string;
  readonly count: number;
}

/** Words are `w1` to `w20000`; `w<n>` is about n times rarer than `w1` (Zipf). */
const VOCABULARY = 20_000;
const PARAGRAPHS = 20_000;
const WORDS_PER_PARAGRAPH = 25;
const BATCH = 50_000;
/** The number of mails from which building the search indexes at the end is faster than maintaining them. */
const REBUILD_FROM = 10_000;
const FILLED = [
  'archived_mails',
  'archived_mail_words',
  'archived_threads',
  'archive_totals',
  'archived_senders',
  'archived_sender_names',
];
const SEARCH_INDEXES = ['archived_mail_words_search_idx', 'archived_mails_sender_date_idx'];

/**
 * Fills the archive tables of an account with rows (no files): four paragraphs of 25 words a mail, one mail a minute
 * backwards from now, threads of 1–3 mails, 5,000 senders of Zipf weight, every fifth mail with attachments. The
 * subject holds the unique word `mail<n>`.
 */
export async function generateArchivedMails(
  dataSource: DataSource,
  { accountId, userId, count }: GenerateMailsOptions,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SET synchronous_commit = off');
    await runner.query(`SET maintenance_work_mem = '512MB'`);
    const definitions: { name: string; definition: string }[] = await runner.query(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE indexname = ANY ($1)`,
      [SEARCH_INDEXES],
    );
    const rebuilt = count >= REBUILD_FROM ? definitions : [];
    for (const { name } of rebuilt) await runner.query(`DROP INDEX ${name}`);
    await runner.query(
      `CREATE TEMPORARY TABLE paragraphs AS
       SELECT n, to_tsvector('simple', string_agg('w' || floor(power($1::float8, random()))::int, ' ')) AS words
         FROM generate_series(1, $2::int) n, generate_series(1, $3::int) GROUP BY n`,
      [VOCABULARY, PARAGRAPHS, WORDS_PER_PARAGRAPH],
    );
    await runner.query('ALTER TABLE paragraphs ADD PRIMARY KEY (n)');
    for (let from = 1; from <= count; from += BATCH) {
      await insertBatch(runner, { accountId, userId, from, to: Math.min(count, from + BATCH - 1) });
    }
    await runner.query('DROP TABLE paragraphs');
    for (const { definition } of rebuilt) await runner.query(definition);
    for (const table of FILLED) {
      await runner.query(`VACUUM (ANALYZE) ${table}`);
    }
  } finally {
    await runner.query('RESET ALL');
    await runner.release();
  }
}

async function insertBatch(
  runner: { query(sql: string, parameters: unknown[]): Promise<unknown> },
  range: { accountId: string; userId: string; from: number; to: number },
): Promise<void> {
  await runner.query(
    `WITH numbered AS MATERIALIZED (
       SELECT n, gen_random_uuid() AS id, date_trunc('milliseconds', now()) - make_interval(mins => n) AS date,
              1 + floor(random() * $5::int)::int AS a, 1 + floor(random() * $5::int)::int AS b,
              1 + floor(random() * $5::int)::int AS c, 1 + floor(random() * $5::int)::int AS d,
              floor(power(5000::float8, random()))::int AS person, floor(random() * $6::int)::int AS thread
         FROM generate_series($3::int, $4::int) n
     ), mails AS (
       INSERT INTO archived_mails (
         id, user_id, account_id, mailbox_message_id, thread_id, message_id_header, subject, sender, recipient, date,
         received_at, date_source, size_bytes, has_attachments, label_ids, snippet, storage, storage_key, sha256, reader_version)
       SELECT id, $2::uuid, $1::uuid, to_hex(n), 'thread-' || thread, '<' || n || '@example.com>',
              'Subject mail' || n || ' about w' || floor(power($7::float8, random()))::int,
              'Person ' || person || ' <person' || person || '@example.com>', 'me@example.com', date,
              date, 'header', 2000 + floor(random() * 76000)::int, n % 5 = 0, '{INBOX}',
              repeat('A line of the mail as previews show it. ', 5), 'local',
              concat_ws('/', $2::text, $1::text, to_char(date, 'YYYY/MM'), id) || '.eml', repeat('0', 64), $8::int
         FROM numbered
     )
     INSERT INTO archived_mail_words (mail_id, account_id, date, has_attachments, words)
     SELECT m.id, $1::uuid, m.date, m.n % 5 = 0,
            setweight(to_tsvector('simple', 'mail' || m.n), 'A') ||
            setweight(to_tsvector('simple', 'person' || m.person || ' example com'), 'B') ||
            a.words || b.words || c.words || d.words
       FROM numbered m JOIN paragraphs a ON a.n = m.a JOIN paragraphs b ON b.n = m.b
       JOIN paragraphs c ON c.n = m.c JOIN paragraphs d ON d.n = m.d`,
    [
      range.accountId,
      range.userId,
      range.from,
      range.to,
      PARAGRAPHS,
      Math.max(1, Math.floor(range.to * 0.6)),
      VOCABULARY,
      READER_VERSION,
    ],
  );
}
