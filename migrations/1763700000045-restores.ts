import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "restores" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "target_account_id" uuid,
     "imap" jsonb,
     "sealed_password" text,
     "selection" jsonb NOT NULL,
     "labels" character varying(8) NOT NULL,
     "add_label" text,
     "on_different" character varying(8) NOT NULL,
     "verify" boolean NOT NULL,
     "status" character varying(16) NOT NULL,
     "job_id" character varying(80) NOT NULL,
     "mails" integer NOT NULL DEFAULT 0,
     "bytes" bigint NOT NULL DEFAULT 0,
     "encrypted" integer NOT NULL DEFAULT 0,
     "too_large" integer NOT NULL DEFAULT 0,
     "labels_to_create" text array NOT NULL DEFAULT '{}',
     "units" bigint,
     "minutes" integer,
     "created_at" timestamp with time zone NOT NULL DEFAULT now(),
     "planned_at" timestamp with time zone,
     "expires_at" timestamp with time zone NOT NULL,
     CONSTRAINT "restores_pkey" PRIMARY KEY ("id"),
     CONSTRAINT "restores_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE,
     CONSTRAINT "restores_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE,
     CONSTRAINT "restores_target_account_id_fkey" FOREIGN KEY ("target_account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "restores_user_idx" ON "restores" ("user_id")`,
  `CREATE INDEX "restores_account_idx" ON "restores" ("account_id", "id")`,
  `CREATE INDEX "restores_target_account_idx" ON "restores" ("target_account_id")`,
  `CREATE INDEX "restores_expiry_idx" ON "restores" ("expires_at")`,
  `CREATE TABLE "restore_items" (
     "restore_id" uuid NOT NULL,
     "position" integer NOT NULL,
     "account_id" uuid NOT NULL,
     "mail_id" uuid NOT NULL,
     "source_thread" text NOT NULL,
     "state" character varying(16) NOT NULL DEFAULT 'pending',
     "outcome" character varying(24),
     "notes" text array NOT NULL DEFAULT '{}',
     "reason" character varying(64),
     "cursor" text,
     "content_sha256" character(64),
     "target_id" text,
     "target_thread" text,
     CONSTRAINT "restore_items_pkey" PRIMARY KEY ("restore_id", "position"),
     CONSTRAINT "restore_items_restore_id_fkey" FOREIGN KEY ("restore_id")
       REFERENCES "restores" ("id") ON DELETE CASCADE,
     CONSTRAINT "restore_items_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "restore_items_account_idx" ON "restore_items" ("account_id")`,
  `CREATE INDEX "restore_items_open_idx" ON "restore_items" ("restore_id", "position") WHERE state <> 'done'`,
  `CREATE INDEX "restore_items_outcome_idx" ON "restore_items" ("restore_id", "outcome", "position")`,
  `CREATE INDEX "restore_items_thread_idx" ON "restore_items" ("restore_id", "source_thread")
     WHERE target_thread IS NOT NULL`,
  `CREATE INDEX "restore_items_content_idx" ON "restore_items" ("restore_id", "content_sha256")
     WHERE target_id IS NOT NULL`,
  `CREATE INDEX "restore_items_mail_idx" ON "restore_items" ("mail_id") WHERE target_id IS NOT NULL`,
];

/** Archived mails that are put back into a mailbox. */
export class Restores1763700000045 implements MigrationInterface {
  readonly name = 'Restores1763700000045';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "restore_items"');
    await queryRunner.query('DROP TABLE "restores"');
  }
}
