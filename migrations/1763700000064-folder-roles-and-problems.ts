import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Folders of IMAP mailboxes keep who says what they are for, and why they cannot be read. Roles that are there stay; the
 * next look notes which of them the server declares.
 */
export class FolderRolesAndProblems1763700000064 implements MigrationInterface {
  name = 'FolderRolesAndProblems1763700000064';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "imap_folders" ADD COLUMN "role_source" character varying(8) NOT NULL DEFAULT 'name'`,
    );
    await queryRunner.query(`ALTER TABLE "imap_folders" ADD COLUMN "problem" character varying(8)`);
    await queryRunner.query(`ALTER TABLE "imap_folders" ADD COLUMN "problem_at" TIMESTAMP WITH TIME ZONE`);
    await queryRunner.query(
      `ALTER TABLE "imap_sync_states" ADD COLUMN "figures_at" TIMESTAMP WITH TIME ZONE`,
    );
    await queryRunner.query(
      `UPDATE "imap_folders" folder
       SET "role_source" = CASE WHEN account."roles" ->> folder."path" IS NOT NULL THEN 'user' ELSE 'server' END
       FROM "imap_accounts" account
       WHERE account."account_id" = folder."account_id"
         AND (account."gmail_labels" OR folder."role" IN ('inbox', 'ignored') OR account."roles" ->> folder."path" IS NOT NULL)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_sync_states" DROP COLUMN "figures_at"`);
    await queryRunner.query(`ALTER TABLE "imap_folders" DROP COLUMN "problem_at"`);
    await queryRunner.query(`ALTER TABLE "imap_folders" DROP COLUMN "problem"`);
    await queryRunner.query(`ALTER TABLE "imap_folders" DROP COLUMN "role_source"`);
  }
}
