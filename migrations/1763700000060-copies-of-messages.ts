import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which places of a message are copies that we have made of one another. */
export class CopiesOfMessages1763700000060 implements MigrationInterface {
  name = 'CopiesOfMessages1763700000060';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_places" ADD COLUMN "copy_group" uuid`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_places" DROP COLUMN "copy_group"`);
  }
}
