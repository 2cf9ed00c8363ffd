import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Words of long mails: PostgreSQL keeps 256 positions of a word in a tsvector, and 16,383 in all. */
export class ArchivedMailPassages1763700000110 implements MigrationInterface {
  name = 'ArchivedMailPassages1763700000110';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "archived_mail_passages" (
      "id" uuid NOT NULL,
      "mail_id" uuid NOT NULL,
      "account_id" uuid NOT NULL,
      "words" tsvector NOT NULL,
      CONSTRAINT "archived_mail_passages_pkey" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(
      `CREATE INDEX "archived_mail_passages_mail_id_idx" ON "archived_mail_passages" ("mail_id")`,
    );
    await queryRunner.query(`CREATE INDEX "archived_mail_passages_search_idx" ON "archived_mail_passages"
      USING gin ("account_id", "words") WITH (fastupdate = on, gin_pending_list_limit = 1024)`);
    await queryRunner.query(`ALTER TABLE "archived_mail_passages"
      ADD CONSTRAINT "archived_mail_passages_mail_id_fkey" FOREIGN KEY ("mail_id") REFERENCES "archived_mails" ("id") ON DELETE CASCADE`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "archived_mail_passages"`);
  }
}
