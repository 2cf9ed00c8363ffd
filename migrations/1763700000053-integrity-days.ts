import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many files of an archive were hashed lately. */
export class IntegrityDays1763700000053 implements MigrationInterface {
  name = 'IntegrityDays1763700000053';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "integrity_days" (
         "account_id" uuid NOT NULL,
         "day" date NOT NULL,
         "checked" bigint NOT NULL DEFAULT 0,
         "last_checked_at" timestamp with time zone NOT NULL DEFAULT now(),
         CONSTRAINT "integrity_days_pkey" PRIMARY KEY ("account_id", "day"),
         CONSTRAINT "integrity_days_account_id_fkey" FOREIGN KEY ("account_id")
           REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "integrity_days"`);
  }
}
