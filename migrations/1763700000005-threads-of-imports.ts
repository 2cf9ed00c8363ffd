import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Conversations of imported mail: which thread an id belongs to that mails have or refer to, and mails that change
 * their thread when two conversations turn out to be one (a reply imported before what it answers). Threads and
 * totals follow by the trigger that until now refused such a change.
 */
export class ThreadsOfImports1763700000005 implements MigrationInterface {
  readonly name = 'ThreadsOfImports1763700000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, mailsChanged(['account_id', 'date'], MOVED)])
      await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(mailsChanged(['account_id', 'thread_id', 'date'], ''));
    await queryRunner.query('DROP TABLE "imported_thread_ids"');
  }
}

const TABLES = [
  `CREATE TABLE "imported_thread_ids" (
     "account_id" uuid NOT NULL,
     "id_key" bigint NOT NULL,
     "thread_id" text NOT NULL,
     CONSTRAINT "imported_thread_ids_pkey" PRIMARY KEY ("account_id", "id_key")
   )`,
  `CREATE INDEX "imported_thread_ids_thread_idx" ON "imported_thread_ids" ("account_id", "thread_id")`,
  `ALTER TABLE "imported_thread_ids" ADD CONSTRAINT "imported_thread_ids_account_id_fkey"
     FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

/**
 * Rows of one side as they are not on the other. Not by a join: its plan is made when the session changes its first
 * mail or two and then kept, and what it does with thousands of them takes the square of their number.
 */
const differing = (columns: string, side: 'before' | 'after'): string =>
  `(SELECT ${columns} FROM ${side} EXCEPT SELECT ${columns} FROM ${side === 'before' ? 'after' : 'before'})`;
const OF_THREADS = 'id, account_id, thread_id, date';

/** The account's total is locked before any thread, as by the other triggers. */
const MOVED = `
     IF EXISTS ${differing('id, thread_id', 'before')} THEN
       PERFORM 1 FROM archive_totals
         WHERE account_id IN (SELECT account_id FROM after) ORDER BY account_id FOR UPDATE;
       PERFORM 1 FROM archived_threads
         WHERE (account_id, thread_id) IN (
           SELECT account_id, thread_id FROM before UNION SELECT account_id, thread_id FROM after)
         ORDER BY account_id, thread_id FOR UPDATE;
       UPDATE archived_threads t
          SET message_count = t.message_count - gone.mails,
              latest_date = coalesce(
                (SELECT max(m.date) FROM archived_mails m
                  WHERE m.account_id = t.account_id AND m.thread_id = t.thread_id), t.latest_date)
         FROM (
           SELECT b.account_id, b.thread_id, count(*)::int AS mails
             FROM ${differing(OF_THREADS, 'before')} b GROUP BY b.account_id, b.thread_id
         ) gone
        WHERE t.account_id = gone.account_id AND t.thread_id = gone.thread_id;
       WITH emptied AS (
         DELETE FROM archived_threads
          WHERE (account_id, thread_id) IN (SELECT account_id, thread_id FROM before) AND message_count <= 0
         RETURNING account_id
       ), ended AS (
         SELECT account_id, count(*)::int AS threads FROM emptied GROUP BY account_id
       )
       UPDATE archive_totals t SET threads = t.threads - ended.threads
         FROM ended WHERE t.account_id = ended.account_id;
       WITH grouped AS (
         SELECT a.account_id, a.thread_id, max(a.date) AS latest, count(*)::int AS mails
           FROM ${differing(OF_THREADS, 'after')} a
          GROUP BY a.account_id, a.thread_id ORDER BY a.account_id, a.thread_id
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
       )
       UPDATE archive_totals t SET threads = t.threads + created.threads
         FROM created WHERE t.account_id = created.account_id;
     END IF;`;

/** @param fixed columns that never change */
const mailsChanged = (fixed: readonly string[], moved: string): string => {
  const names = fixed.map((column) => column.replace('_id', ''));
  const named = `id, ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `CREATE OR REPLACE FUNCTION archived_mails_changed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF EXISTS ${differing(`id, ${fixed.join(', ')}`, 'before')} THEN
       RAISE EXCEPTION '${named} of an archived mail never change: replace the row';
     END IF;${moved}
     UPDATE archived_mail_words w SET has_attachments = a.has_attachments
       FROM ${differing('id, has_attachments', 'after')} a
      WHERE w.mail_id = a.id;
     UPDATE archive_totals t
        SET bytes = t.bytes + sums.bytes, with_attachments = t.with_attachments + sums.with_attachments,
            encrypted = t.encrypted + sums.encrypted
       FROM (
         SELECT account_id, sum(sign * size_bytes) AS bytes,
                sum(sign * has_attachments::int)::int AS with_attachments,
                sum(sign * is_encrypted::int)::int AS encrypted
           FROM (
             SELECT 1 AS sign, account_id, size_bytes, has_attachments, is_encrypted FROM after
             UNION ALL
             SELECT -1, account_id, size_bytes, has_attachments, is_encrypted FROM before
           ) both_sides GROUP BY account_id
       ) sums
      WHERE t.account_id = sums.account_id
        AND (sums.bytes <> 0 OR sums.with_attachments <> 0 OR sums.encrypted <> 0);
     RETURN NULL;
   END $$`;
};
