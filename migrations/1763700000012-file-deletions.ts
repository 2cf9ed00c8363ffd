import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "file_deletions" (
     "id" uuid NOT NULL,
     "storage" character varying(64) NOT NULL,
     "storage_key" text NOT NULL,
     "user_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "due_at" timestamp with time zone NOT NULL,
     "attempts" integer NOT NULL DEFAULT 0,
     "lease_token" uuid,
     "lease_until" timestamp with time zone,
     CONSTRAINT "file_deletions_pkey" PRIMARY KEY ("id")
   )`,
  `INSERT INTO "file_deletions" ("id", "storage", "storage_key", "user_id", "account_id", "due_at", "attempts")
   SELECT gen_random_uuid(), "storage", "storage_key", "user_id", "account_id", "due_at", "failures"
     FROM "archive_removals" WHERE "removed_at" IS NULL`,
  `CREATE INDEX "file_deletions_due_idx" ON "file_deletions" ("storage", "due_at")`,
  `CREATE INDEX "file_deletions_account_idx" ON "file_deletions" ("account_id", "storage_key")`,
  `DROP TABLE "archive_removals"`,
];

const DOWN = [
  `CREATE TABLE "archive_removals" (
     "storage" character varying(64) NOT NULL,
     "storage_key" text NOT NULL,
     "user_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "registered_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
     "due_at" timestamp with time zone NOT NULL,
     "failures" integer NOT NULL DEFAULT 0,
     "removed_at" timestamp with time zone,
     CONSTRAINT "archive_removals_pkey" PRIMARY KEY ("storage", "storage_key")
   )`,
  `INSERT INTO "archive_removals" ("storage", "storage_key", "user_id", "account_id", "due_at", "failures")
   SELECT "storage", "storage_key", "user_id", "account_id", "due_at", "attempts" FROM "file_deletions"
       ON CONFLICT DO NOTHING`,
  `CREATE INDEX "archive_removals_due_idx" ON "archive_removals" ("due_at") WHERE removed_at IS NULL`,
  `CREATE INDEX "archive_removals_removed_at_idx" ON "archive_removals" ("removed_at") WHERE removed_at IS NOT NULL`,
  `CREATE INDEX "archive_removals_account_idx" ON "archive_removals" ("account_id") WHERE removed_at IS NULL`,
  `DROP TABLE "file_deletions"`,
];

/** Storage keys are never used twice from here on, so a deletion that is done need not be remembered. */
export class FileDeletions1763700000012 implements MigrationInterface {
  readonly name = 'FileDeletions1763700000012';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
