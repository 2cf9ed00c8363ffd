import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "imap_folders" (
     "id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "path" text NOT NULL,
     "delimiter" character varying(8),
     "role" character varying(8) NOT NULL,
     "label_id" character varying(64),
     "uid_validity" bigint NOT NULL DEFAULT 0,
     "uid_next" bigint NOT NULL DEFAULT 0,
     "modseq" text,
     "message_count" integer NOT NULL DEFAULT 0,
     "unseen" integer NOT NULL DEFAULT 0,
     "is_complete" boolean NOT NULL DEFAULT false,
     "is_suspect" boolean NOT NULL DEFAULT false,
     "flags_read_at" timestamp with time zone,
     "version" integer NOT NULL DEFAULT 0,
     CONSTRAINT "imap_folders_pkey" PRIMARY KEY ("id"),
     CONSTRAINT "imap_folders_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
  `CREATE UNIQUE INDEX "imap_folders_path_key" ON "imap_folders" ("account_id", "path")`,
  `CREATE TABLE "imap_places" (
     "folder_id" uuid NOT NULL,
     "uid" bigint NOT NULL,
     "account_id" uuid NOT NULL,
     "message_id" character varying(64),
     "size" bigint NOT NULL,
     "internal_date" timestamp with time zone NOT NULL,
     "flags" text array NOT NULL,
     "is_initial" boolean NOT NULL DEFAULT false,
     "failed_at" timestamp with time zone,
     "trashed_from" uuid array,
     CONSTRAINT "imap_places_pkey" PRIMARY KEY ("folder_id", "uid"),
     CONSTRAINT "imap_places_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "imap_folders" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "imap_places_message_idx" ON "imap_places" ("account_id", "message_id")`,
  `CREATE INDEX "imap_places_unread_idx" ON "imap_places" ("account_id", "internal_date", "uid")
     WHERE message_id IS NULL`,
  `CREATE TABLE "imap_messages" (
     "account_id" uuid NOT NULL,
     "message_id" character varying(64) NOT NULL,
     "thread_id" character varying(64) NOT NULL,
     "internal_date" timestamp with time zone NOT NULL,
     "size" bigint NOT NULL,
     "labels" text array,
     "is_dirty" boolean NOT NULL DEFAULT true,
     "is_initial" boolean NOT NULL DEFAULT false,
     "message_id_header" text,
     "facts" jsonb NOT NULL,
     CONSTRAINT "imap_messages_pkey" PRIMARY KEY ("account_id", "message_id"),
     CONSTRAINT "imap_messages_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "imap_messages_date_idx" ON "imap_messages" ("account_id", "internal_date", "message_id")`,
  `CREATE INDEX "imap_messages_header_idx" ON "imap_messages" ("account_id", "message_id_header")`,
  `CREATE INDEX "imap_messages_dirty_idx" ON "imap_messages" ("account_id", "message_id") WHERE is_dirty`,
  `CREATE TABLE "imap_changes" (
     "account_id" uuid NOT NULL,
     "seq" bigint NOT NULL,
     "message_id" character varying(64) NOT NULL,
     "thread_id" character varying(64) NOT NULL,
     "kind" character varying(8) NOT NULL,
     "labels" text array NOT NULL,
     "labels_added" text array NOT NULL,
     "labels_removed" text array NOT NULL,
     "at" timestamp with time zone NOT NULL DEFAULT now(),
     CONSTRAINT "imap_changes_pkey" PRIMARY KEY ("account_id", "seq"),
     CONSTRAINT "imap_changes_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "imap_changes_at_idx" ON "imap_changes" ("at")`,
  `CREATE TABLE "imap_sync_states" (
     "account_id" uuid NOT NULL,
     "last_seq" bigint NOT NULL DEFAULT 0,
     "floor_seq" bigint NOT NULL DEFAULT 0,
     "synced_at" timestamp with time zone,
     "cleaned_at" timestamp with time zone,
     CONSTRAINT "imap_sync_states_pkey" PRIMARY KEY ("account_id"),
     CONSTRAINT "imap_sync_states_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
];

/** What is known of mailboxes that are reached by IMAP: folders, where messages lie, and the history of changes. */
export class ImapIndex1763700000050 implements MigrationInterface {
  readonly name = 'ImapIndex1763700000050';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of [
      'imap_sync_states',
      'imap_changes',
      'imap_messages',
      'imap_places',
      'imap_folders',
    ]) {
      await queryRunner.query(`DROP TABLE "${table}"`);
    }
  }
}
