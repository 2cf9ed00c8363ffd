import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The latest check of each account's search index. */
export class IndexChecks1763700000122 implements MigrationInterface {
  readonly name = 'IndexChecks1763700000122';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "archive_index_checks" (
      "account_id" uuid NOT NULL,
      "started_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      "ended_at" TIMESTAMP WITH TIME ZONE,
      "wanted" integer NOT NULL,
      "mails" integer NOT NULL DEFAULT 0,
      "attachments" integer NOT NULL DEFAULT 0,
      "mismatches" integer NOT NULL DEFAULT 0,
      "unreadable" integer NOT NULL DEFAULT 0,
      CONSTRAINT "archive_index_checks_pkey" PRIMARY KEY ("account_id"),
      CONSTRAINT "archive_index_checks_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "archive_index_checks"`);
    await queryRunner.query(`DELETE FROM "account_chores" WHERE chore = 'check_index'`);
  }
}
