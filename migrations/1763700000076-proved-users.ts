import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who made a user, and who waits for the role that `ADMIN_EMAIL` names them for. A user who is recorded as made by another
 * than themselves, or who has an invitation, was made by an administrator; without a record they count as registered.
 */
export class ProvedUsers1763700000076 implements MigrationInterface {
  name = 'ProvedUsers1763700000076';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "users" ADD COLUMN "added_by_administrator" boolean NOT NULL DEFAULT false,
                           ADD COLUMN "admin_role_requested_at" TIMESTAMP WITH TIME ZONE`,
    );
    await queryRunner.query(
      `UPDATE "users" SET "added_by_administrator" = true
       WHERE "id" IN (SELECT "user_id" FROM "invitations")
          OR "id" IN (SELECT "user_id" FROM "audit_entries"
                      WHERE "action" = 'user.created' AND "actor_id" IS DISTINCT FROM "user_id")`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "users" DROP COLUMN "admin_role_requested_at", DROP COLUMN "added_by_administrator"`,
    );
  }
}
