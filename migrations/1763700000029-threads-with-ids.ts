import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index of threads has the mails' ids. Threads with a common word are then found by joining index and words, a second
 * or two for a million mails, instead of reading the row of each match.
 */
export class ThreadsWithIds1763700000029 implements MigrationInterface {
  readonly name = 'ThreadsWithIds1763700000029';

  async up(queryRunner: QueryRunner): Promise<void> {
    await replace(queryRunner, '"account_id", "thread_id", "date", "id"');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await replace(queryRunner, '"account_id", "thread_id", "date"');
  }
}

async function replace(queryRunner: QueryRunner, columns: string): Promise<void> {
  await queryRunner.query('DROP INDEX "archived_mails_account_thread_idx"');
  await queryRunner.query(
    `CREATE INDEX "archived_mails_account_thread_idx" ON "archived_mails" (${columns})`,
  );
}
