import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What lists of an archive of a million mails need to answer in milliseconds, measured on PostgreSQL 18:
 *
 * - `archived_mail_words`: the search vectors in rows of their own, moved out of line, so that 65 rows share a page:
 *   counting the matches of a common word then visits 15,000 pages that stay in memory instead of 160,000.
 *   PostgreSQL moves nothing out of a row under 2 KB whatever `toast_tuple_target` says; 2 KB of blanks, which
 *   compress to 40 bytes, lift every row over that threshold.
 * - `archived_threads`: one row per thread, ordered by its latest mail.
 * - `archive_totals`: exact counts per account.
 *
 * The last two follow `archived_mails` by statement triggers, in the same transaction, whoever writes: archiving,
 * imports, retention, purges and cascades alike. Every
 * statement locks the account's total before any thread, so that two writers of one account wait for each other
 * instead of deadlocking; a transaction of several statements takes that lock before its first one.
 */
export class ArchiveWordsThreadsTotals1763700000002 implements MigrationInterface {
  readonly name = 'ArchiveWordsThreadsTotals1763700000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...FUNCTIONS, ...TRIGGERS]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await queryRunner.query(statement);
  }
}

const TABLES = [
  `CREATE TABLE "archived_mail_words" (
     "mail_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "date" TIMESTAMP WITH TIME ZONE NOT NULL,
     "has_attachments" boolean NOT NULL,
     "words" tsvector NOT NULL,
     "padding" text NOT NULL DEFAULT repeat(' ', 2048),
     CONSTRAINT "archived_mail_words_pkey" PRIMARY KEY ("mail_id")
   ) WITH (toast_tuple_target = 160)`,
  `ALTER TABLE "archived_mail_words" ALTER COLUMN "words" SET STORAGE EXTERNAL`,
  `CREATE TABLE "archived_threads" (
     "account_id" uuid NOT NULL,
     "thread_id" text NOT NULL,
     "latest_date" TIMESTAMP WITH TIME ZONE NOT NULL,
     "message_count" integer NOT NULL,
     CONSTRAINT "archived_threads_pkey" PRIMARY KEY ("account_id", "thread_id")
   )`,
  `CREATE TABLE "archive_totals" (
     "account_id" uuid NOT NULL,
     "mails" integer NOT NULL,
     "bytes" bigint NOT NULL,
     "with_attachments" integer NOT NULL,
     "encrypted" integer NOT NULL,
     "threads" integer NOT NULL,
     CONSTRAINT "archive_totals_pkey" PRIMARY KEY ("account_id")
   )`,
  // The account leads, so that a word common to everybody costs only its owner's postings. New words wait in a list
  // that is merged in bulk, which halves the cost of archiving; it stays short, for every search reads it.
  `CREATE INDEX "archived_mail_words_search_idx" ON "archived_mail_words"
     USING gin ("account_id", "words") WITH (fastupdate = on, gin_pending_list_limit = 1024)`,
  `CREATE INDEX "archived_threads_account_date_idx" ON "archived_threads" ("account_id", "latest_date", "thread_id")`,
  `ALTER TABLE "archived_mail_words" ADD CONSTRAINT "archived_mail_words_mail_id_fkey"
     FOREIGN KEY ("mail_id") REFERENCES "archived_mails"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  ...['archived_threads', 'archive_totals'].map(
    (table) => `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_account_id_fkey"
      FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  ),
];

const FUNCTIONS = [
  `CREATE FUNCTION archived_mails_added() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO archive_totals (account_id, mails, bytes, with_attachments, encrypted, threads)
     SELECT DISTINCT account_id, 0, 0, 0, 0, 0 FROM added ORDER BY account_id ON CONFLICT DO NOTHING;
     PERFORM 1 FROM archive_totals
       WHERE account_id IN (SELECT account_id FROM added) ORDER BY account_id FOR UPDATE;
     WITH grouped AS (
       SELECT account_id, thread_id, max(date) AS latest, count(*)::int AS mails
         FROM added GROUP BY account_id, thread_id ORDER BY account_id, thread_id
     ), threads AS (
       INSERT INTO archived_threads AS t (account_id, thread_id, latest_date, message_count)
       SELECT account_id, thread_id, latest, mails FROM grouped
       ON CONFLICT (account_id, thread_id) DO UPDATE
         SET latest_date = greatest(t.latest_date, excluded.latest_date),
             message_count = t.message_count + excluded.message_count
       RETURNING t.account_id, t.thread_id, t.message_count
     ), created AS (
       SELECT account_id, count(*)::int AS threads FROM threads JOIN grouped USING (account_id, thread_id)
        WHERE threads.message_count = grouped.mails GROUP BY account_id
     ), sums AS (
       SELECT account_id, count(*)::int AS mails, sum(size_bytes) AS bytes,
              count(*) FILTER (WHERE has_attachments)::int AS with_attachments,
              count(*) FILTER (WHERE is_encrypted)::int AS encrypted
         FROM added GROUP BY account_id
     )
     UPDATE archive_totals t
        SET mails = t.mails + sums.mails, bytes = t.bytes + sums.bytes,
            with_attachments = t.with_attachments + sums.with_attachments,
            encrypted = t.encrypted + sums.encrypted, threads = t.threads + coalesce(created.threads, 0)
       FROM sums LEFT JOIN created USING (account_id)
      WHERE t.account_id = sums.account_id;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION archived_mails_removed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     -- Lock first: the statements after it then see every mail that other writers of the account have committed.
     PERFORM 1 FROM archive_totals
       WHERE account_id IN (SELECT account_id FROM removed) ORDER BY account_id FOR UPDATE;
     PERFORM 1 FROM archived_threads
       WHERE (account_id, thread_id) IN (SELECT account_id, thread_id FROM removed)
       ORDER BY account_id, thread_id FOR UPDATE;
     UPDATE archived_threads t
        SET message_count = t.message_count - gone.mails,
            latest_date = coalesce(
              (SELECT max(m.date) FROM archived_mails m
                WHERE m.account_id = t.account_id AND m.thread_id = t.thread_id), t.latest_date)
       FROM (SELECT account_id, thread_id, count(*)::int AS mails FROM removed GROUP BY account_id, thread_id) gone
      WHERE t.account_id = gone.account_id AND t.thread_id = gone.thread_id;
     WITH emptied AS (
       DELETE FROM archived_threads
        WHERE (account_id, thread_id) IN (SELECT account_id, thread_id FROM removed) AND message_count <= 0
       RETURNING account_id
     ), ended AS (
       SELECT account_id, count(*)::int AS threads FROM emptied GROUP BY account_id
     ), sums AS (
       SELECT account_id, count(*)::int AS mails, sum(size_bytes) AS bytes,
              count(*) FILTER (WHERE has_attachments)::int AS with_attachments,
              count(*) FILTER (WHERE is_encrypted)::int AS encrypted
         FROM removed GROUP BY account_id
     )
     UPDATE archive_totals t
        SET mails = t.mails - sums.mails, bytes = t.bytes - sums.bytes,
            with_attachments = t.with_attachments - sums.with_attachments,
            encrypted = t.encrypted - sums.encrypted, threads = t.threads - coalesce(ended.threads, 0)
       FROM sums LEFT JOIN ended USING (account_id)
      WHERE t.account_id = sums.account_id;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION archived_mails_changed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF EXISTS (
       SELECT 1 FROM before b LEFT JOIN after a USING (id)
        WHERE a.id IS NULL OR (a.account_id, a.thread_id, a.date) <> (b.account_id, b.thread_id, b.date)
     ) THEN
       RAISE EXCEPTION 'id, account, thread and date of an archived mail never change: replace the row';
     END IF;
     UPDATE archived_mail_words w SET has_attachments = a.has_attachments
       FROM after a JOIN before b USING (id)
      WHERE w.mail_id = a.id AND a.has_attachments <> b.has_attachments;
     UPDATE archive_totals t
        SET bytes = t.bytes + sums.bytes, with_attachments = t.with_attachments + sums.with_attachments,
            encrypted = t.encrypted + sums.encrypted
       FROM (
         SELECT a.account_id, sum(a.size_bytes - b.size_bytes) AS bytes,
                sum(a.has_attachments::int - b.has_attachments::int)::int AS with_attachments,
                sum(a.is_encrypted::int - b.is_encrypted::int)::int AS encrypted
           FROM after a JOIN before b USING (id) GROUP BY a.account_id
       ) sums
      WHERE t.account_id = sums.account_id
        AND (sums.bytes <> 0 OR sums.with_attachments <> 0 OR sums.encrypted <> 0);
     RETURN NULL;
   END $$`,
];

const TRIGGERS = [
  `CREATE TRIGGER archived_mails_added AFTER INSERT ON archived_mails
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION archived_mails_added()`,
  `CREATE TRIGGER archived_mails_removed AFTER DELETE ON archived_mails
     REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION archived_mails_removed()`,
  `CREATE TRIGGER archived_mails_changed AFTER UPDATE ON archived_mails
     REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION archived_mails_changed()`,
];

const REVERSE = [
  `DROP TRIGGER archived_mails_added ON archived_mails`,
  `DROP TRIGGER archived_mails_removed ON archived_mails`,
  `DROP TRIGGER archived_mails_changed ON archived_mails`,
  `DROP FUNCTION archived_mails_added(), archived_mails_removed(), archived_mails_changed()`,
  `DROP TABLE "archived_mail_words", "archived_threads", "archive_totals"`,
];
