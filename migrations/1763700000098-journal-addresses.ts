import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secret addresses to which mail servers copy mail, and the envelopes of mail that came so. */
export class JournalAddresses1763700000098 implements MigrationInterface {
  name = 'JournalAddresses1763700000098';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "journal_addresses" (
      "account_id" uuid NOT NULL,
      "user_id" uuid NOT NULL,
      "sealed_secret" text NOT NULL,
      "lookup_key" character(64) NOT NULL,
      "previous_key" character(64),
      "previous_until" TIMESTAMP WITH TIME ZONE,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
      "replaced_at" TIMESTAMP WITH TIME ZONE,
      "received" bigint NOT NULL DEFAULT '0',
      "received_bytes" bigint NOT NULL DEFAULT '0',
      "duplicates" bigint NOT NULL DEFAULT '0',
      "refused" bigint NOT NULL DEFAULT '0',
      "last_received_at" TIMESTAMP WITH TIME ZONE,
      "last_refused_at" TIMESTAMP WITH TIME ZONE,
      "last_refusal" character varying(32),
      CONSTRAINT "journal_addresses_pkey" PRIMARY KEY ("account_id")
    )`);
    await queryRunner.query(`CREATE INDEX "journal_addresses_user_idx" ON "journal_addresses" ("user_id")`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX "journal_addresses_lookup_key" ON "journal_addresses" ("lookup_key")`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "journal_addresses_previous_key" ON "journal_addresses" ("previous_key")`,
    );
    await queryRunner.query(`ALTER TABLE "journal_addresses"
      ADD CONSTRAINT "journal_addresses_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE`);
    await queryRunner.query(`ALTER TABLE "journal_addresses"
      ADD CONSTRAINT "journal_addresses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE`);
    await queryRunner.query(`ALTER TABLE "archived_mails" ADD COLUMN "envelope" jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "archived_mails" DROP COLUMN "envelope"`);
    await queryRunner.query(`DROP TABLE "journal_addresses"`);
  }
}
