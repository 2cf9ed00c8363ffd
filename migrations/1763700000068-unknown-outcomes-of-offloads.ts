import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages of which a receipt says that it is not known whether they were moved. */
export class UnknownOutcomesOfOffloads1763700000068 implements MigrationInterface {
  name = 'UnknownOutcomesOfOffloads1763700000068';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "offload_items" ADD COLUMN "is_signed_unknown" boolean NOT NULL DEFAULT false`,
    );
    await queryRunner.query(
      `CREATE INDEX "offload_items_unsettled_idx" ON "offload_items" ("plan_id") WHERE state IN ('trashing', 'unknown')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "offload_items_unsettled_idx"');
    await queryRunner.query('ALTER TABLE "offload_items" DROP COLUMN "is_signed_unknown"');
  }
}
