import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Steps of a review that ended at one place although the mailbox answered are counted. */
export class AttemptsOfCopyReviews1763700000085 implements MigrationInterface {
  name = 'AttemptsOfCopyReviews1763700000085';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_copy_reviews" ADD "attempts" integer NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_copy_reviews" DROP COLUMN "attempts"`);
  }
}
