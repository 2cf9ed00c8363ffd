import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "installation_keys" (
     "key_id" character(32) NOT NULL,
     "public_key" text NOT NULL,
     "sealed_private_key" text NOT NULL,
     "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT "installation_keys_pkey" PRIMARY KEY ("key_id")
   )`,
  `CREATE TABLE "archive_holds" (
     "mail_id" uuid NOT NULL,
     "plan_id" uuid NOT NULL,
     CONSTRAINT "archive_holds_pkey" PRIMARY KEY ("mail_id"),
     CONSTRAINT "archive_holds_mail_id_fkey" FOREIGN KEY ("mail_id") REFERENCES "archived_mails" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "archive_holds_plan_idx" ON "archive_holds" ("plan_id")`,
  `CREATE TABLE "offload_plans" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "selection" jsonb NOT NULL,
     "mode" character varying(16) NOT NULL,
     "allowed" jsonb NOT NULL,
     "is_scheduled" boolean NOT NULL DEFAULT false,
     "status" character varying(16) NOT NULL,
     "figures" jsonb,
     "counts" jsonb,
     "digest" character(64),
     "planned_cursor" text,
     "cursor" text,
     "is_history_lost" boolean NOT NULL DEFAULT false,
     "batches" integer NOT NULL DEFAULT 0,
     "plan_job_number" bigint,
     "job_number" bigint,
     "expires_at" timestamp with time zone,
     "started_at" timestamp with time zone,
     "ended_at" timestamp with time zone,
     "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT "offload_plans_pkey" PRIMARY KEY ("id"),
     CONSTRAINT "offload_plans_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE,
     CONSTRAINT "offload_plans_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "offload_plans_account_idx" ON "offload_plans" ("account_id", "id")`,
  `CREATE INDEX "offload_plans_user_idx" ON "offload_plans" ("user_id")`,
  `CREATE TABLE "offload_items" (
     "plan_id" uuid NOT NULL,
     "position" integer NOT NULL,
     "account_id" uuid NOT NULL,
     "message_id" text NOT NULL,
     "mail_id" uuid,
     "message_id_header" text,
     "sha256" character(64),
     "size_bytes" bigint,
     "labels" text array NOT NULL,
     "state" character varying(16) NOT NULL,
     "reason" character varying(32),
     "provider_sha256" character(64),
     "verified_at" timestamp with time zone,
     "compared_at" timestamp with time zone,
     "trashed_at" timestamp with time zone,
     CONSTRAINT "offload_items_pkey" PRIMARY KEY ("plan_id", "position"),
     CONSTRAINT "offload_items_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "offload_plans" ("id") ON DELETE CASCADE
   )`,
  `CREATE UNIQUE INDEX "offload_items_message_key" ON "offload_items" ("plan_id", "message_id")`,
  `CREATE INDEX "offload_items_account_idx" ON "offload_items" ("account_id")`,
  `CREATE TABLE "offload_receipts" (
     "plan_id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "statement" text NOT NULL,
     "signature" text NOT NULL,
     "key_id" character(32) NOT NULL,
     "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT "offload_receipts_pkey" PRIMARY KEY ("plan_id"),
     CONSTRAINT "offload_receipts_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "offload_plans" ("id") ON DELETE CASCADE,
     CONSTRAINT "offload_receipts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE,
     CONSTRAINT "offload_receipts_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "offload_receipts_account_idx" ON "offload_receipts" ("account_id", "created_at")`,
  `CREATE INDEX "offload_receipts_user_idx" ON "offload_receipts" ("user_id")`,
  `CREATE TABLE "offload_schedules" (
     "account_id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "selection" jsonb NOT NULL,
     "mode" character varying(16) NOT NULL,
     "grace_days" integer NOT NULL,
     "max_per_night" integer NOT NULL,
     "is_active" boolean NOT NULL,
     "updated_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT "offload_schedules_pkey" PRIMARY KEY ("account_id"),
     CONSTRAINT "offload_schedules_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE,
     CONSTRAINT "offload_schedules_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "offload_schedules_user_idx" ON "offload_schedules" ("user_id")`,
  `ALTER TABLE "retention_policies" ADD "include_offloaded" boolean NOT NULL DEFAULT false`,
];

const DOWN = [
  `ALTER TABLE "retention_policies" DROP COLUMN "include_offloaded"`,
  `DROP TABLE "offload_schedules"`,
  `DROP TABLE "offload_receipts"`,
  `DROP TABLE "offload_items"`,
  `DROP TABLE "offload_plans"`,
  `DROP TABLE "archive_holds"`,
  `DROP TABLE "installation_keys"`,
];

/** Verified offload: plans, their messages, holds on copies, receipts and the keys that sign them, schedules. */
export class Offload1763700000044 implements MigrationInterface {
  readonly name = 'Offload1763700000044';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
