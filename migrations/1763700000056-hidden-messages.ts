import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that an incomplete list of their folder left out. */
export class HiddenMessages1763700000056 implements MigrationInterface {
  name = 'HiddenMessages1763700000056';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_messages" ADD COLUMN "hidden_in" uuid`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_messages" DROP COLUMN "hidden_in"`);
  }
}
