import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attachments in wrappings of a mail, such as winmail.dat. Those of mails archived before lie in the mail itself. */
export class ContainedAttachments1763700000095 implements MigrationInterface {
  name = 'ContainedAttachments1763700000095';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "archived_attachments" ADD "is_contained" boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "archived_attachments" DROP COLUMN "is_contained"`);
  }
}
