import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Addresses for copied mail say whether they expect journal reports of Exchange. Those that exist expect copies: stored whole, no
 * message loses anything.
 */
export class JournalFormats1763700000105 implements MigrationInterface {
  name = 'JournalFormats1763700000105';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "journal_addresses" ADD COLUMN "format" character varying(32) NOT NULL DEFAULT 'copies'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "journal_addresses" DROP COLUMN "format"`);
  }
}
