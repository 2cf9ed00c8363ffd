import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Saved searches are of the mailbox, as all were, or of the archive. */
export class ScopesOfSavedSearches1763700000052 implements MigrationInterface {
  name = 'ScopesOfSavedSearches1763700000052';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "saved_searches" ADD "scope" character varying(8) NOT NULL DEFAULT 'mailbox'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "saved_searches" DROP COLUMN "scope"`);
  }
}
