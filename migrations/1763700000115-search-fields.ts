import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The words of recipients and other fields stand in the index by field from version 3 of the reader on (ADR 120): what earlier versions read is read again. */
export class SearchFields1763700000115 implements MigrationInterface {
  readonly name = 'SearchFields1763700000115';

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildOutdatedIndex(queryRunner, 3);
    await queryRunner.query(`DELETE FROM "account_chores" WHERE chore = 'reread_mails'`);
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return buildOutdatedIndex(queryRunner, 2);
  }
}

async function buildOutdatedIndex(queryRunner: QueryRunner, version: number): Promise<void> {
  await queryRunner.query('DROP INDEX "archived_mails_outdated_idx"');
  await queryRunner.query(`CREATE INDEX "archived_mails_outdated_idx" ON "archived_mails" ("account_id", "id")
    WHERE ((reader_version < ${version} AND NOT is_encrypted) OR received_at IS NULL)`);
}
