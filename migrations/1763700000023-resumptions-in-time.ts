import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key names the resumption of a job for a day, as it does the start of one. */
export class ResumptionsInTime1763700000023 implements MigrationInterface {
  readonly name = 'ResumptionsInTime1763700000023';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "jobs" ADD "resumed_at" timestamp with time zone`);
    await queryRunner.query(`UPDATE "jobs" SET "resumed_at" = "updated_at" WHERE "resume_key" IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "jobs" DROP "resumed_at"`);
  }
}
