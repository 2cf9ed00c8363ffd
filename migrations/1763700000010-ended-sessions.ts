import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What has ended is removed every hour; a token for every quarter of an hour of every session must not be read for it. */
export class EndedSessions1763700000010 implements MigrationInterface {
  readonly name = 'EndedSessions1763700000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "refresh_tokens_created_at_idx" ON "refresh_tokens" ("created_at")`,
    );
    await queryRunner.query(`CREATE INDEX "sessions_expires_at_idx" ON "sessions" ("expires_at")`);
    await queryRunner.query(`CREATE INDEX "sessions_revoked_at_idx" ON "sessions" ("revoked_at")`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "sessions_revoked_at_idx"`);
    await queryRunner.query(`DROP INDEX "sessions_expires_at_idx"`);
    await queryRunner.query(`DROP INDEX "refresh_tokens_created_at_idx"`);
  }
}
