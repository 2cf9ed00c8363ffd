import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Trigram and partial indexes, which entities cannot describe. */
export class SearchAndQueueIndexes1763700000001 implements MigrationInterface {
  readonly name = 'SearchAndQueueIndexes1763700000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE EXTENSION IF NOT EXISTS btree_gin`);
    await queryRunner.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm`);
    await queryRunner.query(
      `CREATE INDEX archived_mails_sender_idx ON archived_mails USING gin (account_id, lower(sender) gin_trgm_ops)`,
    );
    await queryRunner.query(
      `CREATE INDEX jobs_open_idx ON jobs (lane, number) WHERE status IN ('pending', 'active') OR lease_until IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX jobs_idempotency_key ON jobs (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX jobs_idempotency_key, jobs_open_idx, archived_mails_sender_idx`);
  }
}
