import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Folders of IMAP mailboxes that show the messages of other folders: what is known of them. */
export class ViewsOfFolders1763700000066 implements MigrationInterface {
  name = 'ViewsOfFolders1763700000066';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_folders" ADD COLUMN "view_of" uuid`);
    await queryRunner.query(
      `ALTER TABLE "imap_folders" ADD COLUMN "view_asked_in" bigint NOT NULL DEFAULT 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE "imap_folders" SET "role" = 'user', "role_source" = 'name', "uid_validity" = 0 WHERE "role_source" = 'view'`,
    );
    await queryRunner.query(`ALTER TABLE "imap_folders" DROP COLUMN "view_asked_in"`);
    await queryRunner.query(`ALTER TABLE "imap_folders" DROP COLUMN "view_of"`);
  }
}
