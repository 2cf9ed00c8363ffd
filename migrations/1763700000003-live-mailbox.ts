import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the figures about a live mailbox are made of, and the tables of the features around it.
 *
 * `mailbox_messages` gets a few narrow columns and indexes that hold everything the aggregates ask for, so that
 * figures over 100,000 messages never read the wide rows. The index is a copy of what the provider has: existing
 * rows are dropped rather than completed, and fetched again when somebody asks.
 *
 * `archived_senders` follows `archived_mails` by statement triggers, after those of `archive_totals`, whose lock on
 * the account's row it relies on.
 */
export class LiveMailbox1763700000003 implements MigrationInterface {
  readonly name = 'LiveMailbox1763700000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...MESSAGE_INDEX, ...TABLES, ...INDEXES, ...FOREIGN_KEYS, ...ARCHIVED_SENDERS]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await queryRunner.query(statement);
  }
}

const MESSAGE_INDEX = [
  `TRUNCATE "mailbox_messages", "mailbox_index_states"`,
  `ALTER TABLE "mailbox_messages"
     ADD "sender_email" character varying(320) NOT NULL,
     ADD "sender_name" text NOT NULL,
     ADD "subject_key" bigint,
     ADD "stale" boolean NOT NULL DEFAULT false,
     ADD "flags" smallint NOT NULL DEFAULT '0'`,
  `ALTER TABLE "mailbox_index_states"
     ADD "covered_since" TIMESTAMP WITH TIME ZONE,
     ADD "complete" boolean NOT NULL DEFAULT false,
     ADD "wanted_since" TIMESTAMP WITH TIME ZONE,
     ADD "coverage_epoch" integer NOT NULL DEFAULT '0'`,
  `CREATE FUNCTION mailbox_message_flags() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.flags := CASE WHEN 'UNREAD' = ANY(NEW.label_ids) THEN 1 ELSE 0 END
       | CASE WHEN NEW.label_ids && '{SPAM,TRASH}' THEN 2 ELSE 0 END
       | CASE WHEN NEW.label_ids && '{SENT,DRAFT}' THEN 4 ELSE 0 END
       | CASE WHEN 'CATEGORY_PROMOTIONS' = ANY(NEW.label_ids) THEN 8 ELSE 0 END
       | CASE WHEN 'STARRED' = ANY(NEW.label_ids) THEN 16 ELSE 0 END
       | CASE WHEN 'IMPORTANT' = ANY(NEW.label_ids) THEN 32 ELSE 0 END
       | CASE WHEN 'INBOX' = ANY(NEW.label_ids) THEN 64 ELSE 0 END
       | CASE WHEN NEW.list_unsubscribe IS NOT NULL THEN 128 ELSE 0 END
       | CASE WHEN NEW.stale THEN 256 ELSE 0 END;
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER mailbox_message_flags BEFORE INSERT OR UPDATE OF label_ids, list_unsubscribe, stale
     ON mailbox_messages FOR EACH ROW EXECUTE FUNCTION mailbox_message_flags()`,
  // Without them the planner takes these conditions for rare (0.5 %) and reads a whole table for its newest 500 rows.
  // See `NOT_COUNTED` and `MessageFlag.Own`.
  `CREATE STATISTICS "mailbox_messages_counted_stats" ON (flags & 258) FROM "mailbox_messages"`,
  `CREATE STATISTICS "mailbox_messages_received_stats" ON (flags & 262) FROM "mailbox_messages"`,
  // The newest messages that count, in their order: the planner reads them here even before it has statistics.
  `DROP INDEX "mailbox_messages_account_date_idx"`,
  `CREATE INDEX "mailbox_messages_newest_idx" ON "mailbox_messages" ("account_id", "internal_date", "message_id")
     WHERE flags & 258 = 0`,
  // Everything sender figures need, so that they never read the rows themselves.
  `CREATE INDEX "mailbox_messages_sender_idx" ON "mailbox_messages"
     ("account_id", "sender_email", "internal_date") INCLUDE ("size_estimate", "flags", "subject_key")`,
  `CREATE INDEX "mailbox_messages_newsletter_idx" ON "mailbox_messages"
     ("account_id", "sender_email", "internal_date") INCLUDE ("size_estimate", "flags", "message_id")
     WHERE list_unsubscribe IS NOT NULL`,
  `CREATE INDEX "mailbox_messages_attachments_idx" ON "mailbox_messages" ("account_id", "internal_date")
     WHERE has_attachments AND size_estimate > 102400`,
  // Nearly always empty.
  `CREATE INDEX "mailbox_messages_stale_idx" ON "mailbox_messages" ("account_id", "message_id") WHERE stale`,
];

const TABLES = [
  `CREATE TABLE "account_chores" (
     "account_id" uuid NOT NULL,
     "chore" character varying(32) NOT NULL,
     "due_at" TIMESTAMP WITH TIME ZONE NOT NULL,
     CONSTRAINT "account_chores_pkey" PRIMARY KEY ("account_id", "chore")
   )`,
  `CREATE TABLE "saved_searches" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "name" character varying(255) NOT NULL,
     "query" character varying(2000) NOT NULL,
     "icon" character varying(64),
     "color" character varying(32),
     "sort_order" integer NOT NULL DEFAULT '0',
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "saved_searches_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "rules" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "mailbox_account_id" uuid NOT NULL,
     "name" character varying(255) NOT NULL,
     "description" text,
     "conditions" jsonb NOT NULL,
     "action" jsonb NOT NULL,
     "schedule" character varying(16),
     "is_active" boolean NOT NULL DEFAULT true,
     "last_run_at" TIMESTAMP WITH TIME ZONE,
     "last_run_count" integer,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "rules_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "rule_matches" (
     "job_id" uuid NOT NULL,
     "position" integer NOT NULL,
     "message_id" character varying(64) NOT NULL,
     CONSTRAINT "rule_matches_pkey" PRIMARY KEY ("job_id", "position")
   )`,
  `CREATE TABLE "cleanup_suggestions" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "type" character varying(32) NOT NULL,
     "subject_of" character varying(400) NOT NULL,
     "title" text NOT NULL,
     "description" text NOT NULL,
     "sender" text NOT NULL,
     "email_count" integer NOT NULL,
     "total_size_bytes" bigint NOT NULL,
     "query" text NOT NULL,
     "dismissed_at" TIMESTAMP WITH TIME ZONE,
     "computed_at" TIMESTAMP WITH TIME ZONE NOT NULL,
     CONSTRAINT "cleanup_suggestions_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "inbox_days" (
     "account_id" uuid NOT NULL,
     "day" date NOT NULL,
     "inbox_count" integer NOT NULL,
     "unread_count" integer NOT NULL,
     "taken_at" TIMESTAMP WITH TIME ZONE NOT NULL,
     CONSTRAINT "inbox_days_pkey" PRIMARY KEY ("account_id", "day")
   )`,
  `CREATE TABLE "notifications" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "type" character varying(32) NOT NULL,
     "title" text NOT NULL,
     "body" text NOT NULL,
     "data" jsonb NOT NULL,
     "is_read" boolean NOT NULL DEFAULT false,
     "event_key" character varying(128) NOT NULL,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "notification_preferences" (
     "user_id" uuid NOT NULL,
     "weekly_report" boolean NOT NULL DEFAULT true,
     "weekly_report_toast" boolean NOT NULL DEFAULT false,
     "job_completed" boolean NOT NULL DEFAULT true,
     "job_completed_toast" boolean NOT NULL DEFAULT true,
     "job_failed" boolean NOT NULL DEFAULT true,
     "job_failed_toast" boolean NOT NULL DEFAULT true,
     "rule_executed" boolean NOT NULL DEFAULT false,
     "rule_executed_toast" boolean NOT NULL DEFAULT false,
     "quota_warning" boolean NOT NULL DEFAULT true,
     "quota_warning_toast" boolean NOT NULL DEFAULT false,
     "integrity_alert" boolean NOT NULL DEFAULT true,
     "integrity_alert_toast" boolean NOT NULL DEFAULT false,
     CONSTRAINT "notification_preferences_pkey" PRIMARY KEY ("user_id")
   )`,
  `CREATE TABLE "mailbox_listings" (
     "account_id" uuid NOT NULL,
     "run" character varying(64) NOT NULL,
     "message_id" character varying(64) NOT NULL,
     "label_id" character varying(255) NOT NULL,
     "listed_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "mailbox_listings_pkey" PRIMARY KEY ("account_id", "run", "message_id", "label_id")
   )`,
  `CREATE TABLE "archived_senders" (
     "account_id" uuid NOT NULL,
     "address" character varying(320) NOT NULL,
     "sender" text NOT NULL,
     "latest_date" TIMESTAMP WITH TIME ZONE NOT NULL,
     "mails" integer NOT NULL,
     "bytes" bigint NOT NULL,
     CONSTRAINT "archived_senders_pkey" PRIMARY KEY ("account_id", "address")
   )`,
];

const INDEXES = [
  `CREATE INDEX "account_chores_due_idx" ON "account_chores" ("chore", "due_at")`,
  `CREATE INDEX "saved_searches_user_order_idx" ON "saved_searches" ("user_id", "sort_order", "id")`,
  `CREATE INDEX "rules_account_idx" ON "rules" ("mailbox_account_id", "id")`,
  `CREATE INDEX "rules_due_idx" ON "rules" ("last_run_at") WHERE is_active AND schedule IS NOT NULL`,
  `CREATE UNIQUE INDEX "cleanup_suggestions_subject_key" ON "cleanup_suggestions" ("account_id", "type", "subject_of")`,
  `CREATE INDEX "notifications_user_idx" ON "notifications" ("user_id", "id")`,
  `CREATE UNIQUE INDEX "notifications_event_key" ON "notifications" ("user_id", "event_key")`,
  // The newest of a million mails at once; mails archived together share one entry.
  `CREATE INDEX "archived_mails_account_archived_at_idx" ON "archived_mails" ("account_id", "archived_at")`,
  `CREATE INDEX "archived_senders_account_mails_idx" ON "archived_senders" ("account_id", "mails")`,
];

const references = (table: string, column: string, target: string): string =>
  `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_${column}_fkey"
     FOREIGN KEY ("${column}") REFERENCES "${target}"("id") ON DELETE CASCADE ON UPDATE NO ACTION`;

const FOREIGN_KEYS = [
  references('mailbox_listings', 'account_id', 'mailbox_accounts'),
  references('account_chores', 'account_id', 'mailbox_accounts'),
  references('saved_searches', 'user_id', 'users'),
  references('rules', 'user_id', 'users'),
  references('rules', 'mailbox_account_id', 'mailbox_accounts'),
  references('rule_matches', 'job_id', 'jobs'),
  references('cleanup_suggestions', 'user_id', 'users'),
  references('cleanup_suggestions', 'account_id', 'mailbox_accounts'),
  references('inbox_days', 'account_id', 'mailbox_accounts'),
  references('notifications', 'user_id', 'users'),
  references('notification_preferences', 'user_id', 'users'),
  references('archived_senders', 'account_id', 'mailbox_accounts'),
];

const ARCHIVED_SENDERS = [
  // The archive writes senders as `Name <address>`.
  `CREATE FUNCTION archived_sender_address(sender text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT left(lower(coalesce(substring(sender from '<([^<>]+)>\\s*$'), sender)), 320)
   $$`,
  `CREATE FUNCTION archived_senders_added() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO archived_senders AS known (account_id, address, sender, latest_date, mails, bytes)
     SELECT account_id, archived_sender_address(sender), (array_agg(sender ORDER BY date DESC))[1], max(date),
            count(*)::int, sum(size_bytes)
       FROM added GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (account_id, address) DO UPDATE
       SET sender = CASE WHEN excluded.latest_date >= known.latest_date THEN excluded.sender ELSE known.sender END,
           latest_date = greatest(known.latest_date, excluded.latest_date),
           mails = known.mails + excluded.mails, bytes = known.bytes + excluded.bytes;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION archived_senders_removed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE archived_senders known SET mails = known.mails - gone.mails, bytes = known.bytes - gone.bytes
       FROM (SELECT account_id, archived_sender_address(sender) AS address, count(*)::int AS mails,
                    sum(size_bytes) AS bytes
               FROM removed GROUP BY 1, 2) gone
      WHERE known.account_id = gone.account_id AND known.address = gone.address;
     DELETE FROM archived_senders
      WHERE (account_id, address) IN (SELECT account_id, archived_sender_address(sender) FROM removed)
        AND mails <= 0;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION archived_senders_changed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO archived_senders AS known (account_id, address, sender, latest_date, mails, bytes)
     SELECT account_id, archived_sender_address(sender), (array_agg(sender ORDER BY date DESC))[1], max(date),
            sum(mails)::int, sum(bytes)
       FROM (SELECT account_id, sender, date, 1 AS mails, size_bytes AS bytes FROM after
             UNION ALL SELECT account_id, sender, date, -1, -size_bytes FROM before) changes
      GROUP BY 1, 2 HAVING sum(mails) <> 0 OR sum(bytes) <> 0 ORDER BY 1, 2
     ON CONFLICT (account_id, address) DO UPDATE
       SET mails = known.mails + excluded.mails, bytes = known.bytes + excluded.bytes;
     DELETE FROM archived_senders
      WHERE (account_id, address) IN (SELECT account_id, archived_sender_address(sender) FROM before)
        AND mails <= 0;
     RETURN NULL;
   END $$`,
  `INSERT INTO archived_senders (account_id, address, sender, latest_date, mails, bytes)
   SELECT account_id, archived_sender_address(sender), (array_agg(sender ORDER BY date DESC))[1], max(date),
          count(*)::int, sum(size_bytes)
     FROM archived_mails GROUP BY 1, 2`,
  `CREATE TRIGGER archived_senders_added AFTER INSERT ON archived_mails
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION archived_senders_added()`,
  `CREATE TRIGGER archived_senders_removed AFTER DELETE ON archived_mails
     REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION archived_senders_removed()`,
  `CREATE TRIGGER archived_senders_changed AFTER UPDATE ON archived_mails
     REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION archived_senders_changed()`,
];

const REVERSE = [
  `DROP TRIGGER archived_senders_added ON archived_mails`,
  `DROP TRIGGER archived_senders_removed ON archived_mails`,
  `DROP TRIGGER archived_senders_changed ON archived_mails`,
  `DROP FUNCTION archived_senders_added(), archived_senders_removed(), archived_senders_changed()`,
  `DROP FUNCTION archived_sender_address(text)`,
  `DROP TABLE "archived_senders", "notification_preferences", "notifications", "inbox_days", "cleanup_suggestions",
     "rule_matches", "rules", "saved_searches", "account_chores", "mailbox_listings"`,
  `DROP INDEX "archived_mails_account_archived_at_idx"`,
  `DROP STATISTICS "mailbox_messages_counted_stats", "mailbox_messages_received_stats"`,
  `DROP INDEX "mailbox_messages_newest_idx"`,
  `CREATE INDEX "mailbox_messages_account_date_idx" ON "mailbox_messages"
     ("account_id", "internal_date", "message_id")`,
  `DROP TRIGGER mailbox_message_flags ON mailbox_messages`,
  `DROP FUNCTION mailbox_message_flags()`,
  `ALTER TABLE "mailbox_index_states" DROP "covered_since", DROP "complete", DROP "wanted_since",
     DROP "coverage_epoch"`,
  `ALTER TABLE "mailbox_messages" DROP "sender_email", DROP "sender_name", DROP "subject_key", DROP "stale",
     DROP "flags"`,
];
