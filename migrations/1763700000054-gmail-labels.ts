import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Labels of Gmail, when it is connected by IMAP. */
export class GmailLabels1763700000054 implements MigrationInterface {
  name = 'GmailLabels1763700000054';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "imap_accounts" ADD COLUMN "gmail_labels" boolean NOT NULL DEFAULT false`,
    );
    await queryRunner.query(`ALTER TABLE "imap_places" ADD COLUMN "labels" text array NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_places" DROP COLUMN "labels"`);
    await queryRunner.query(`ALTER TABLE "imap_accounts" DROP COLUMN "gmail_labels"`);
  }
}
