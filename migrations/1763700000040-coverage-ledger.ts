import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The coverage ledger: one row for each message of a mailbox whose mail is to be kept, spam and trash included, and totals of
 * them. Rows follow `archived_mails`, and totals follow rows, by statement triggers.
 *
 * Whatever changes a class locks the account's row of `archiving_settings` first: statements of two transactions would
 * otherwise wait for one another's totals. The order of locks is `mailbox_index_states`, `archive_totals`,
 * `archiving_settings`. Accounts without continuous archiving have no row to lock, and their triggers end there.
 *
 * Rows are looked up by their key one by one (LATERAL, LIMIT), and written by their place in the table: a session plans these
 * statements for its first mail and keeps the plan for thousands. Nobody else moves a row meanwhile, thanks to the lock.
 */
export class CoverageLedger1763700000040 implements MigrationInterface {
  readonly name = 'CoverageLedger1763700000040';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...COLUMNS, SEARCHED, ...TABLES, ...TOTALS, ...ARCHIVE])
      await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await queryRunner.query(statement);
  }
}

const COLUMNS = [
  `ALTER TABLE "archived_mails"
     ADD COLUMN "content_sha256" character(64),
     ADD COLUMN "presence" character varying(8),
     ADD COLUMN "offload_plan_id" uuid`,
  `CREATE INDEX "archived_mails_absent_idx" ON "archived_mails" ("account_id", "presence", "date", "id")
     WHERE "presence" IN ('gone', 'trash')`,
  `ALTER TABLE "label_names"
     ADD COLUMN "type" character varying(16) NOT NULL DEFAULT 'user',
     ADD COLUMN "gone_at" timestamp with time zone`,
];

/** What lists filter by, beside what totals are made of. */
const searched = (
  columns: string,
): string => `CREATE OR REPLACE FUNCTION archived_mails_searched() RETURNS trigger
   LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE archive_totals t SET bytes = t.bytes
      WHERE t.account_id IN (
        SELECT account_id FROM (SELECT ${columns} FROM after EXCEPT SELECT ${columns} FROM before) changed
      );
     RETURN NULL;
   END $$`;
const SEARCHED_BEFORE = 'id, account_id, label_ids, archived_at, sender, recipient';
const SEARCHED = searched(`${SEARCHED_BEFORE}, presence`);

const ACCOUNT = `REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE`;

const TABLES = [
  `CREATE TABLE "archiving_settings" (
     "account_id" uuid NOT NULL,
     "mode" character varying(8) NOT NULL DEFAULT 'off',
     "paused" boolean NOT NULL DEFAULT false,
     "exclusions" jsonb NOT NULL DEFAULT '[]',
     "verify_days" smallint NOT NULL DEFAULT 8,
     "reconcile_days" smallint NOT NULL DEFAULT 7,
     "notify_after_hours" smallint DEFAULT 24,
     "follow_labels" boolean NOT NULL DEFAULT true,
     "exact" boolean NOT NULL DEFAULT false,
     "epoch" integer NOT NULL DEFAULT 0,
     "looked_at" timestamp with time zone,
     "copied_at" timestamp with time zone,
     "reconciled_at" timestamp with time zone,
     "provider_offset" integer,
     "provider_total" integer,
     "provider_agreed" boolean,
     "provider_checked_at" timestamp with time zone,
     "unhealthy_since" timestamp with time zone,
     CONSTRAINT "archiving_settings_pkey" PRIMARY KEY ("account_id"),
     CONSTRAINT "archiving_settings_account_id_fkey" FOREIGN KEY ("account_id") ${ACCOUNT}
   )`,
  // Labels change without touching an index, if the page has room.
  `CREATE TABLE "ledger_messages" (
     "account_id" uuid NOT NULL,
     "mail_id" uuid,
     "due_at" timestamp with time zone,
     "lease_until" timestamp with time zone,
     "size_bytes" bigint,
     "verified_on" date NOT NULL DEFAULT '-infinity',
     "attempts" smallint NOT NULL DEFAULT 0,
     "message_id" character varying(64) NOT NULL,
     "class" character varying(8) NOT NULL,
     "exclusion" character varying(64),
     "reason" character varying(64),
     "label_ids" text array NOT NULL DEFAULT '{}',
     CONSTRAINT "ledger_messages_pkey" PRIMARY KEY ("account_id", "message_id"),
     CONSTRAINT "ledger_messages_account_id_fkey" FOREIGN KEY ("account_id") ${ACCOUNT}
   ) WITH (fillfactor = 90)`,
  `CREATE INDEX "ledger_messages_class_idx" ON "ledger_messages"
     ("account_id", "class", "verified_on", "message_id")`,
  `CREATE INDEX "ledger_messages_excluded_idx" ON "ledger_messages" ("account_id", "exclusion", "message_id")
     WHERE "class" = 'excluded'`,
  `CREATE INDEX "ledger_messages_due_idx" ON "ledger_messages" ("account_id", "class", "due_at", "message_id")
     WHERE "due_at" IS NOT NULL`,
  `CREATE TABLE "ledger_totals" (
     "account_id" uuid NOT NULL,
     "class" character varying(8) NOT NULL,
     "detail" character varying(64) NOT NULL DEFAULT '',
     "verified_on" date NOT NULL DEFAULT '-infinity',
     "messages" integer NOT NULL,
     "bytes" bigint NOT NULL,
     CONSTRAINT "ledger_totals_pkey" PRIMARY KEY ("account_id", "class", "detail", "verified_on"),
     CONSTRAINT "ledger_totals_account_id_fkey" FOREIGN KEY ("account_id") ${ACCOUNT}
   )`,
];

const KEY = `account_id, class, coalesce(exclusion, reason, '') AS detail, verified_on`;

/** Adds differences to totals: `changes` selects account, class, detail, day, messages and bytes. */
const addToTotals = (changes: string): string => `
     INSERT INTO ledger_totals AS t (account_id, class, detail, verified_on, messages, bytes)
     SELECT account_id, class, detail, verified_on, sum(messages)::int, sum(bytes)::bigint FROM (${changes}) changes
      GROUP BY account_id, class, detail, verified_on
     HAVING sum(messages) <> 0 OR sum(bytes) <> 0
      ORDER BY account_id, class, detail, verified_on
     ON CONFLICT (account_id, class, detail, verified_on)
       DO UPDATE SET messages = t.messages + excluded.messages, bytes = t.bytes + excluded.bytes;
     IF FOUND THEN
       DELETE FROM ledger_totals t
        WHERE t.messages <= 0 AND t.account_id IN (SELECT DISTINCT account_id FROM (${changes}) changes);
     END IF;`;

const ROWS_BEFORE = `SELECT ${KEY}, -1 AS messages, -coalesce(size_bytes, 0) AS bytes FROM before`;
const ROWS_AFTER = `SELECT ${KEY}, 1 AS messages, coalesce(size_bytes, 0) AS bytes FROM after`;

const TOTALS = [
  `CREATE FUNCTION ledger_messages_added() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN ${addToTotals(ROWS_AFTER)}
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION ledger_messages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN ${addToTotals(`${ROWS_BEFORE} UNION ALL ${ROWS_AFTER}`)}
     RETURN NULL;
   END $$`,
  // With the account its totals go first: nothing may be inserted.
  `CREATE FUNCTION ledger_messages_removed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE ledger_totals t SET messages = t.messages - gone.messages, bytes = t.bytes - gone.bytes
       FROM (SELECT account_id, class, detail, verified_on, count(*)::int AS messages, sum(-bytes)::bigint AS bytes
               FROM (${ROWS_BEFORE}) rows GROUP BY account_id, class, detail, verified_on) gone
      WHERE t.account_id = gone.account_id AND t.class = gone.class AND t.detail = gone.detail
        AND t.verified_on = gone.verified_on;
     DELETE FROM ledger_totals t
      WHERE t.messages <= 0 AND t.account_id IN (SELECT DISTINCT account_id FROM before);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER ledger_messages_added AFTER INSERT ON ledger_messages
     REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION ledger_messages_added()`,
  `CREATE TRIGGER ledger_messages_changed AFTER UPDATE ON ledger_messages
     REFERENCING OLD TABLE AS before NEW TABLE AS after
     FOR EACH STATEMENT EXECUTE FUNCTION ledger_messages_changed()`,
  `CREATE TRIGGER ledger_messages_removed AFTER DELETE ON ledger_messages
     REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION ledger_messages_removed()`,
];

/** Ends the trigger unless a mailbox of the rows keeps a ledger; else no other writer of it comes between. */
const lockLedgers = (rows: string): string => `
     PERFORM FROM archiving_settings kept
      WHERE kept.mode <> 'off' AND kept.account_id IN (SELECT account_id FROM ${rows})
        AND EXISTS (SELECT FROM mailbox_accounts account WHERE account.id = kept.account_id)
      ORDER BY kept.account_id FOR NO KEY UPDATE;
     IF NOT FOUND THEN RETURN NULL; END IF;`;

const NAMES = 'SELECT id, account_id, mailbox_message_id, size_bytes';

/** The place of the ledger's row of a mail. */
const rowOf = (mails: string, condition = 'true'): string => `
        (SELECT row.ctid AS place, mails.id, mails.size_bytes FROM (${mails}) mails
           JOIN archiving_settings kept ON kept.account_id = mails.account_id AND kept.mode <> 'off'
          CROSS JOIN LATERAL (
            SELECT ctid FROM ledger_messages
             WHERE account_id = mails.account_id AND message_id = mails.mailbox_message_id AND ${condition} LIMIT 1
          ) row
        ) found`;

const BECOME_ARCHIVED = `class = 'archived', exclusion = NULL, reason = NULL, attempts = 0, due_at = NULL,
              lease_until = NULL, verified_on = '-infinity', mail_id = found.id,
              size_bytes = found.size_bytes`;
const BECOME_REMOVED = `class = 'excluded', exclusion = 'removed', reason = NULL, attempts = 0, due_at = NULL,
              lease_until = NULL, verified_on = '-infinity', mail_id = NULL`;

/** Mails of which nothing is in the mailbox any more. */
const gone = (rows: string, sign: '' | '-'): string => `
       SELECT rows.account_id, 'gone' AS class, '' AS detail, date '-infinity' AS verified_on, ${sign}1 AS messages,
              ${sign}rows.size_bytes AS bytes
         FROM ${rows} rows JOIN archiving_settings kept ON kept.account_id = rows.account_id AND kept.mode <> 'off'
        WHERE rows.presence = 'gone'`;

const ARCHIVE = [
  `CREATE FUNCTION archived_mails_covered() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE trashed uuid[];
   BEGIN ${lockLedgers('added')}
     WITH covered AS (
       UPDATE ledger_messages l SET ${BECOME_ARCHIVED}
         FROM ${rowOf(`${NAMES} FROM added`)}
        WHERE l.ctid = found.place RETURNING l.mail_id, l.label_ids
     )
     SELECT array_agg(mail_id) INTO trashed FROM covered WHERE 'TRASH' = ANY (label_ids);
     IF trashed IS NOT NULL THEN
       UPDATE archived_mails SET presence = 'trash' WHERE id = ANY (trashed);
     END IF;
     ${addToTotals(gone('added', ''))}
     RETURN NULL;
   END $$`,
  // What retention deletes must not be fetched again: to the ledger it is excluded.
  `CREATE FUNCTION archived_mails_uncovered() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN ${lockLedgers('removed')}
     UPDATE ledger_messages l SET ${BECOME_REMOVED}
       FROM ${rowOf(`${NAMES} FROM removed`, 'mail_id = mails.id')}
      WHERE l.ctid = found.place;
     ${addToTotals(gone('removed', '-'))}
     RETURN NULL;
   END $$`,
  // A mail that was imported, or whose message is gone, may take the name of a message with the same bytes.
  `CREATE FUNCTION archived_mails_recovered() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN ${lockLedgers('after')}
     UPDATE ledger_messages l SET ${BECOME_REMOVED}
       FROM ${rowOf(`${NAMES} FROM before EXCEPT ${NAMES} FROM after`, 'mail_id = mails.id')}
      WHERE l.ctid = found.place;
     UPDATE ledger_messages l SET ${BECOME_ARCHIVED}
       FROM ${rowOf(`${NAMES} FROM after EXCEPT ${NAMES} FROM before`)}
      WHERE l.ctid = found.place;
     ${addToTotals(`${gone('before', '-')} UNION ALL ${gone('after', '')}`)}
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER archived_mails_covered AFTER INSERT ON archived_mails
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION archived_mails_covered()`,
  `CREATE TRIGGER archived_mails_uncovered AFTER DELETE ON archived_mails
     REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION archived_mails_uncovered()`,
  `CREATE TRIGGER archived_mails_recovered AFTER UPDATE ON archived_mails
     REFERENCING OLD TABLE AS before NEW TABLE AS after
     FOR EACH STATEMENT EXECUTE FUNCTION archived_mails_recovered()`,
];

const REVERSE = [
  searched(SEARCHED_BEFORE),
  `DROP TRIGGER archived_mails_covered ON archived_mails`,
  `DROP TRIGGER archived_mails_uncovered ON archived_mails`,
  `DROP TRIGGER archived_mails_recovered ON archived_mails`,
  `DROP FUNCTION archived_mails_covered(), archived_mails_uncovered(), archived_mails_recovered()`,
  `DROP TABLE "ledger_totals"`,
  `DROP TABLE "ledger_messages"`,
  `DROP FUNCTION ledger_messages_added(), ledger_messages_changed(), ledger_messages_removed()`,
  `DROP TABLE "archiving_settings"`,
  `ALTER TABLE "label_names" DROP COLUMN "gone_at", DROP COLUMN "type"`,
  `DROP INDEX "archived_mails_absent_idx"`,
  `ALTER TABLE "archived_mails"
     DROP COLUMN "offload_plan_id", DROP COLUMN "presence", DROP COLUMN "content_sha256"`,
];
