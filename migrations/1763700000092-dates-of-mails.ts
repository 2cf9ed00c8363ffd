import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Archived mail keeps its arrival beside its date, and the source of the date. Rows of earlier versions have neither: the service
 * reads their headers in the background, and `archived_mails_undated_idx` holds those that are left. So that no table is
 * rewritten while the service stands still, columns may be null. See ADR 107.
 *
 * Dates of mails may change from now on, which happens once to each of those rows. What is ordered by date follows by a trigger:
 * words, threads, senders, findings of personal data, and attachments, whose ids begin with the date that their mail had when it
 * was archived. Work that goes through a whole archive follows the ids of the mails, which never change.
 */
export class DatesOfMails1763700000092 implements MigrationInterface {
  readonly name = 'DatesOfMails1763700000092';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...COLUMNS, mailsChanged(['account_id']), ...REDATED])
      await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...REVERSE, mailsChanged(['account_id', 'date'])])
      await queryRunner.query(statement);
  }
}

const COLUMNS = [
  `ALTER TABLE "archived_mails"
     ADD COLUMN "received_at" TIMESTAMP WITH TIME ZONE,
     ADD COLUMN "date_source" character varying(8)`,
  `CREATE INDEX "archived_mails_account_id_idx" ON "archived_mails" ("account_id", "id")`,
  `CREATE INDEX "archived_mails_undated_idx" ON "archived_mails" ("account_id", "id") WHERE received_at IS NULL`,
  `ALTER TABLE "archived_attachments" ADD COLUMN "dated_id" uuid`,
  `DROP INDEX "archived_attachments_account_idx"`,
  `CREATE INDEX "archived_attachments_account_idx" ON "archived_attachments"
     ("account_id", (coalesce("dated_id", "id"))) WHERE NOT is_inline`,
];

/** Rows of one side as they are not on the other, not by a join: see `ThreadsOfImports1763700000005`. */
const differing = (columns: string, side: 'before' | 'after'): string =>
  `(SELECT ${columns} FROM ${side} EXCEPT SELECT ${columns} FROM ${side === 'before' ? 'after' : 'before'})`;

/** The account's total is locked before anything else, as by the other triggers. */
const REDATED = [
  `CREATE FUNCTION archived_mails_redated() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF NOT EXISTS ${differing('id, date', 'after')} THEN RETURN NULL; END IF;
     UPDATE archive_totals t SET bytes = t.bytes
      WHERE t.account_id IN (SELECT account_id FROM ${differing('id, account_id, date', 'after')} a);
     UPDATE archived_mail_words w SET date = a.date
       FROM ${differing('id, date', 'after')} a WHERE w.mail_id = a.id;
     UPDATE pii_findings f SET mail_date = a.date
       FROM ${differing('id, date', 'after')} a WHERE f.mail_id = a.id;
     UPDATE archived_attachments p
        SET dated_id = (lpad(to_hex(greatest(floor(extract(epoch FROM a.date) * 1000), 0)::bigint), 12, '0')
                        || substr(replace(p.id::text, '-', ''), 13))::uuid
       FROM ${differing('id, date', 'after')} a WHERE p.mail_id = a.id;
     UPDATE archived_threads t
        SET latest_date = coalesce(
              (SELECT max(m.date) FROM archived_mails m
                WHERE m.account_id = t.account_id AND m.thread_id = t.thread_id), t.latest_date)
       FROM (SELECT DISTINCT account_id, thread_id
               FROM ${differing('id, account_id, thread_id, date', 'after')} a) moved
      WHERE t.account_id = moved.account_id AND t.thread_id = moved.thread_id;
     WITH touched AS MATERIALIZED (
       SELECT DISTINCT account_id, archived_sender_address(sender) AS address
         FROM ${differing('id, account_id, sender, date', 'after')} a
     ), named AS MATERIALIZED (
       SELECT account_id, sender_key, archived_sender_address(sender) AS address FROM archived_sender_names
        WHERE account_id IN (SELECT account_id FROM touched)
     ), newest AS (
       SELECT DISTINCT ON (named.account_id, named.address) named.account_id, named.address, mail.sender, mail.date
         FROM touched JOIN named USING (account_id, address)
        CROSS JOIN LATERAL (
          SELECT m.sender, m.date FROM archived_mails m
           WHERE m.account_id = named.account_id AND archived_sender_key(m.sender) = named.sender_key
           ORDER BY m.date DESC LIMIT 1
        ) mail
        ORDER BY named.account_id, named.address, mail.date DESC
     )
     UPDATE archived_senders known SET sender = newest.sender, latest_date = newest.date
       FROM newest WHERE known.account_id = newest.account_id AND known.address = newest.address;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER archived_mails_redated AFTER UPDATE ON archived_mails
     REFERENCING OLD TABLE AS before NEW TABLE AS after
     FOR EACH STATEMENT EXECUTE FUNCTION archived_mails_redated()`,
];

const REVERSE = [
  `DROP TRIGGER archived_mails_redated ON archived_mails`,
  `DROP FUNCTION archived_mails_redated()`,
  `DROP INDEX "archived_attachments_account_idx"`,
  `CREATE INDEX "archived_attachments_account_idx" ON "archived_attachments" ("account_id", "id") WHERE NOT is_inline`,
  `ALTER TABLE "archived_attachments" DROP COLUMN "dated_id"`,
  `DROP INDEX "archived_mails_undated_idx"`,
  `DROP INDEX "archived_mails_account_id_idx"`,
  `ALTER TABLE "archived_mails" DROP COLUMN "received_at", DROP COLUMN "date_source"`,
];

const OF_THREADS = 'id, account_id, thread_id, date';

/** The trigger function of `ThreadsOfImports1763700000005`, which refuses changes of the fixed columns. */
function mailsChanged(fixed: readonly string[]): string {
  const names = fixed.map((column) => column.replace('_id', ''));
  const named = ['id', ...names.slice(0, -1)].join(', ') + ` and ${names.at(-1)}`;
  return `CREATE OR REPLACE FUNCTION archived_mails_changed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF EXISTS ${differing(`id, ${fixed.join(', ')}`, 'before')} THEN
       RAISE EXCEPTION '${named} of an archived mail never change: replace the row';
     END IF;
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
     END IF;
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
}
