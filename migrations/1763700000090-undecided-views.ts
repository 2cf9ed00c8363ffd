import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a folder is a virtual one is asked again when it showed a folder that was not read. */
export class UndecidedViews1763700000090 implements MigrationInterface {
  name = 'UndecidedViews1763700000090';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "imap_folders" ADD "is_view_undecided" boolean NOT NULL DEFAULT false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "imap_folders" DROP COLUMN "is_view_undecided"`);
  }
}
