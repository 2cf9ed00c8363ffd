import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mails of one Message-ID are compared by their content. Those archived before have none of it on record: their files
 * are read when an import has the same Message-ID.
 */
export class ContentOfMails1763700000014 implements MigrationInterface {
  readonly name = 'ContentOfMails1763700000014';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "archived_mails" ADD "content_mac" text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "archived_mails" DROP "content_mac"`);
  }
}
