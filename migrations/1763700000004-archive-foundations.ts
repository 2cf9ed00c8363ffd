import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables of everything around the archive: where it is stored, what is on its way out of it, how long mail is kept,
 * whether its files are sound, what is being imported.
 *
 * Two indexes tell whether an imported mail is there already: by the hash of its Message-ID (of any length, as senders
 * please; an index of the text itself could refuse it), and for mails that have none by their content.
 */
export class ArchiveFoundations1763700000004 implements MigrationInterface {
  readonly name = 'ArchiveFoundations1763700000004';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...ATTACHMENTS, ...ATTACHMENT_TOTALS, ...INDEXES, ...FOREIGN_KEYS])
      await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await queryRunner.query(statement);
  }
}

const TABLES = [
  `CREATE TABLE "storage_configurations" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "type" character varying(16) NOT NULL,
     "objstore_endpoint" text,
     "objstore_region" character varying(64),
     "objstore_bucket" character varying(63),
     "objstore_force_path_style" boolean,
     "sealed_credentials" text,
     "is_current" boolean NOT NULL DEFAULT true,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "storage_configurations_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "archive_removals" (
     "storage" character varying(64) NOT NULL,
     "storage_key" text NOT NULL,
     "user_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "registered_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
     "due_at" TIMESTAMP WITH TIME ZONE NOT NULL,
     "failures" integer NOT NULL DEFAULT '0',
     "removed_at" TIMESTAMP WITH TIME ZONE,
     CONSTRAINT "archive_removals_pkey" PRIMARY KEY ("storage", "storage_key")
   )`,
  `CREATE TABLE "storage_quota_levels" (
     "user_id" uuid NOT NULL,
     "percent" smallint NOT NULL DEFAULT '0',
     "refused_room" bigint,
     "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "storage_quota_levels_pkey" PRIMARY KEY ("user_id")
   )`,
  `CREATE TABLE "retention_policies" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "mailbox_account_id" uuid,
     "name" character varying(255) NOT NULL,
     "label" text,
     "max_age_days" integer NOT NULL,
     "is_active" boolean NOT NULL DEFAULT true,
     "last_run_at" TIMESTAMP WITH TIME ZONE,
     "deleted_count" integer NOT NULL DEFAULT '0',
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     "updated_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "retention_policies_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "retention_counts" (
     "job_id" uuid NOT NULL,
     "policy_id" uuid NOT NULL,
     "name" character varying(255) NOT NULL,
     "deleted" integer NOT NULL,
     CONSTRAINT "retention_counts_pkey" PRIMARY KEY ("job_id", "policy_id")
   )`,
  `CREATE TABLE "integrity_states" (
     "account_id" uuid NOT NULL,
     "cursor_date" TIMESTAMP WITH TIME ZONE,
     "cursor_id" uuid,
     "round_started_on" date,
     "round_completed_at" TIMESTAMP WITH TIME ZONE,
     "checked" bigint NOT NULL DEFAULT '0',
     "visited_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "integrity_states_pkey" PRIMARY KEY ("account_id")
   )`,
  `CREATE TABLE "integrity_findings" (
     "mail_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "problem" character varying(16) NOT NULL,
     "found_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     "told_at" TIMESTAMP WITH TIME ZONE,
     CONSTRAINT "integrity_findings_pkey" PRIMARY KEY ("mail_id")
   )`,
  `CREATE TABLE "import_uploads" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "job_id" uuid,
     "filename" text NOT NULL,
     "size_bytes" bigint NOT NULL,
     "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
     CONSTRAINT "import_uploads_pkey" PRIMARY KEY ("id")
   )`,
  `CREATE TABLE "imported_subjects" (
     "mail_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "subject_key" bigint NOT NULL,
     "date" TIMESTAMP WITH TIME ZONE NOT NULL,
     "participants" text array NOT NULL,
     "sender" text NOT NULL,
     "is_reply" boolean NOT NULL,
     "has_references" boolean NOT NULL,
     CONSTRAINT "imported_subjects_pkey" PRIMARY KEY ("mail_id")
   )`,
];

/**
 * For lists of attachments: what is searched lies beside what is listed, so that the mails need not be read. An index
 * of its trigrams would make writing attachments nine times as dear. Old rows are folded as well as SQL can.
 */
const ATTACHMENTS = [
  `ALTER TABLE "archived_attachments" ADD "search_text" text NOT NULL DEFAULT ''`,
  `UPDATE "archived_attachments" a
      SET "search_text" = lower(concat_ws(chr(10), a.filename, left(m.subject, 1000), left(m.sender, 500)))
     FROM "archived_mails" m WHERE m.id = a.mail_id`,
  `DROP INDEX "archived_attachments_account_size_idx"`,
  `CREATE INDEX "archived_attachments_account_size_idx" ON "archived_attachments" ("account_id", "size_bytes", "id")
     WHERE NOT is_inline`,
  `CREATE INDEX "archived_attachments_account_idx" ON "archived_attachments" ("account_id", "id") WHERE NOT is_inline`,
];

/**
 * Files of an account and their bytes, images inside the text left out, kept with its other totals by statement
 * triggers: counting 300,000 for each page of a list takes 100 ms. A cascade deletes the attachments of one mail per
 * statement, most of which have none.
 */
const attachmentsCounted = (name: string, changes: string): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE archive_totals t
        SET attachments = t.attachments + sums.files, attachment_bytes = t.attachment_bytes + sums.bytes
       FROM (
         SELECT account_id, sum(files)::int AS files, sum(files * size_bytes) AS bytes
           FROM (${changes}) changes GROUP BY account_id
       ) sums
      WHERE t.account_id = sums.account_id AND (sums.files <> 0 OR sums.bytes <> 0);
     RETURN NULL;
   END $$`;
const ADDED = 'SELECT account_id, size_bytes, 1 AS files FROM added WHERE NOT is_inline';
const REMOVED = 'SELECT account_id, size_bytes, -1 AS files FROM removed WHERE NOT is_inline';

const ATTACHMENT_TOTALS = [
  `ALTER TABLE "archive_totals" ADD "attachments" integer NOT NULL DEFAULT '0',
     ADD "attachment_bytes" bigint NOT NULL DEFAULT '0'`,
  `UPDATE "archive_totals" t SET "attachments" = sums.files, "attachment_bytes" = sums.bytes
     FROM (SELECT account_id, count(*) AS files, sum(size_bytes) AS bytes
             FROM "archived_attachments" WHERE NOT is_inline GROUP BY account_id) sums
    WHERE t.account_id = sums.account_id`,
  attachmentsCounted('archived_attachments_added', ADDED),
  attachmentsCounted('archived_attachments_removed', REMOVED),
  attachmentsCounted('archived_attachments_changed', `${ADDED} UNION ALL ${REMOVED}`),
  `CREATE TRIGGER archived_attachments_added AFTER INSERT ON archived_attachments
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION archived_attachments_added()`,
  `CREATE TRIGGER archived_attachments_removed AFTER DELETE ON archived_attachments
     REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION archived_attachments_removed()`,
  `CREATE TRIGGER archived_attachments_changed AFTER UPDATE ON archived_attachments
     REFERENCING OLD TABLE AS removed NEW TABLE AS added
     FOR EACH STATEMENT EXECUTE FUNCTION archived_attachments_changed()`,
];

const INDEXES = [
  `CREATE INDEX "storage_configurations_user_idx" ON "storage_configurations" ("user_id")`,
  `CREATE UNIQUE INDEX "storage_configurations_current_key" ON "storage_configurations" ("user_id") WHERE is_current`,
  `CREATE INDEX "archive_removals_due_idx" ON "archive_removals" ("due_at") WHERE removed_at IS NULL`,
  `CREATE INDEX "archive_removals_removed_at_idx" ON "archive_removals" ("removed_at") WHERE removed_at IS NOT NULL`,
  `CREATE INDEX "archive_removals_account_idx" ON "archive_removals" ("account_id") WHERE removed_at IS NULL`,
  `CREATE INDEX "retention_policies_user_idx" ON "retention_policies" ("user_id", "id")`,
  `CREATE INDEX "integrity_findings_account_idx" ON "integrity_findings" ("account_id", "mail_id")`,
  `CREATE INDEX "integrity_findings_untold_idx" ON "integrity_findings" ("account_id") WHERE told_at IS NULL`,
  `CREATE INDEX "import_uploads_job_idx" ON "import_uploads" ("job_id")`,
  `CREATE INDEX "imported_subjects_account_key_idx" ON "imported_subjects" ("account_id", "subject_key", "date")`,
  `CREATE INDEX "archived_mails_message_id_header_idx" ON "archived_mails"
     ("account_id", hashtextextended("message_id_header", 0)) WHERE message_id_header IS NOT NULL`,
  `CREATE INDEX "archived_mails_anonymous_sha256_idx" ON "archived_mails" ("account_id", "sha256")
     WHERE message_id_header IS NULL`,
];

const cascade = (table: string, column: string, target: string, onDelete = 'CASCADE'): string =>
  `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_${column}_fkey" FOREIGN KEY ("${column}")
     REFERENCES "${target}"("id") ON DELETE ${onDelete} ON UPDATE NO ACTION`;

const FOREIGN_KEYS = [
  cascade('storage_configurations', 'user_id', 'users'),
  cascade('storage_quota_levels', 'user_id', 'users'),
  cascade('retention_policies', 'user_id', 'users'),
  cascade('retention_policies', 'mailbox_account_id', 'mailbox_accounts'),
  cascade('retention_counts', 'job_id', 'jobs'),
  cascade('integrity_states', 'account_id', 'mailbox_accounts'),
  cascade('integrity_findings', 'mail_id', 'archived_mails'),
  cascade('integrity_findings', 'account_id', 'mailbox_accounts'),
  cascade('import_uploads', 'user_id', 'users'),
  cascade('import_uploads', 'account_id', 'mailbox_accounts'),
  cascade('import_uploads', 'job_id', 'jobs', 'SET NULL'),
  cascade('imported_subjects', 'mail_id', 'archived_mails'),
];

const REVERSE = [
  `DROP TRIGGER archived_attachments_added ON archived_attachments`,
  `DROP TRIGGER archived_attachments_removed ON archived_attachments`,
  `DROP TRIGGER archived_attachments_changed ON archived_attachments`,
  `DROP FUNCTION archived_attachments_added(), archived_attachments_removed(), archived_attachments_changed()`,
  `ALTER TABLE "archive_totals" DROP COLUMN "attachments", DROP COLUMN "attachment_bytes"`,
  `DROP INDEX "archived_attachments_account_size_idx", "archived_attachments_account_idx"`,
  `CREATE INDEX "archived_attachments_account_size_idx" ON "archived_attachments" ("account_id", "size_bytes", "id")`,
  `ALTER TABLE "archived_attachments" DROP COLUMN "search_text"`,
  `DROP INDEX "archived_mails_message_id_header_idx", "archived_mails_anonymous_sha256_idx"`,
  `DROP TABLE "storage_configurations", "archive_removals", "storage_quota_levels", "retention_policies",
     "retention_counts", "integrity_states", "integrity_findings", "import_uploads", "imported_subjects"`,
];
