import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The words of mails have further spellings from version 2 of the reader on (ADR 118): what earlier versions read is read again. */
export class SearchSpellings1763700000111 implements MigrationInterface {
  readonly name = 'SearchSpellings1763700000111';

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildOutdatedIndex(queryRunner, 2);
    await queryRunner.query(`DELETE FROM "account_chores" WHERE chore = 'reread_mails'`);
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return buildOutdatedIndex(queryRunner, 1);
  }
}

async function buildOutdatedIndex(queryRunner: QueryRunner, version: number): Promise<void> {
  await queryRunner.query('DROP INDEX "archived_mails_outdated_idx"');
  await queryRunner.query(`CREATE INDEX "archived_mails_outdated_idx" ON "archived_mails" ("account_id", "id")
    WHERE ((reader_version < ${version} AND NOT is_encrypted) OR received_at IS NULL)`);
}
