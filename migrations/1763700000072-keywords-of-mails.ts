import type { MigrationInterface, QueryRunner } from 'typeorm';

/** IMAP keywords of archived mails, and the way from a message of a destination to the mails it was restored from. */
export class KeywordsOfMails1763700000072 implements MigrationInterface {
  name = 'KeywordsOfMails1763700000072';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "archived_mails" ADD COLUMN "keywords" text[] NOT NULL DEFAULT '{}'`,
    );
    await queryRunner.query(
      `CREATE INDEX "restore_items_target_idx" ON "restore_items" ("target_id") WHERE target_id IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "restore_items_target_idx"`);
    await queryRunner.query(`ALTER TABLE "archived_mails" DROP COLUMN "keywords"`);
  }
}
