import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The Outlook file that an archived mail was rebuilt from; null for all others. */
export class RebuiltMails1763700000093 implements MigrationInterface {
  name = 'RebuiltMails1763700000093';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "archived_mails" ADD COLUMN "rebuilt_from" jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "archived_mails" DROP COLUMN "rebuilt_from"`);
  }
}
