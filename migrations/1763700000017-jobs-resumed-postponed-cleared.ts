import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE "jobs"
     ADD "attempts" integer NOT NULL DEFAULT 0,
     ADD "due_at" timestamp with time zone,
     ADD "postponements" integer NOT NULL DEFAULT 0,
     ADD "resumptions" integer NOT NULL DEFAULT 0,
     ADD "resume_key" character varying(255),
     ADD "is_cleared" boolean NOT NULL DEFAULT false`,
  // What is under way must not take its next attempt for the first.
  `UPDATE "jobs" SET "attempts" = "lost_attempts" + 1 WHERE "completed_at" IS NULL AND "started_at" IS NOT NULL`,
  `CREATE INDEX jobs_user_open_idx ON jobs (user_id) WHERE status IN ('pending', 'active') OR lease_until IS NOT NULL`,
  `CREATE INDEX jobs_long_payloads_idx ON jobs (user_id, completed_at) WHERE payload_preview IS NOT NULL AND completed_at IS NOT NULL`,
  `CREATE INDEX jobs_uncleared_idx ON jobs (completed_at) WHERE completed_at IS NOT NULL AND NOT is_cleared`,
  `CREATE INDEX jobs_completed_at_idx ON jobs (completed_at) WHERE completed_at IS NOT NULL`,
];

const DOWN = [
  `DROP INDEX jobs_completed_at_idx, jobs_uncleared_idx, jobs_long_payloads_idx, jobs_user_open_idx`,
  `ALTER TABLE "jobs" DROP "is_cleared", DROP "resume_key", DROP "resumptions", DROP "postponements", DROP "due_at",
     DROP "attempts"`,
];

/** Jobs that wait for a time, that are taken up again, and whose content is not kept for ever. */
export class JobsResumedPostponedCleared1763700000017 implements MigrationInterface {
  readonly name = 'JobsResumedPostponedCleared1763700000017';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
