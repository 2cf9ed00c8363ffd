import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Virtual folders are asked once more: earlier versions took some for views that show messages of folders that are not read. */
export class ReviewOfViews1763700000091 implements MigrationInterface {
  name = 'ReviewOfViews1763700000091';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE "imap_folders" SET "uid_next" = 0 WHERE "role_source" = 'view' AND "view_of" IS NULL`,
    );
  }

  /** Earlier versions do not read this number of a view. */
  async down(): Promise<void> {}
}
