import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A job that was postponed says why it waits, and until when. */
export class WaitsOfJobs1763700000104 implements MigrationInterface {
  name = 'WaitsOfJobs1763700000104';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "jobs" ADD "waits_until" TIMESTAMP WITH TIME ZONE`);
    await queryRunner.query(`ALTER TABLE "jobs" ADD "waits_for" character varying(64)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "jobs" DROP COLUMN "waits_for"`);
    await queryRunner.query(`ALTER TABLE "jobs" DROP COLUMN "waits_until"`);
  }
}
