import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is not known of mails after the archive was restored from a backup, and when that was. */
export class RestoredBackups1763700000073 implements MigrationInterface {
  name = 'RestoredBackups1763700000073';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "archived_mails" ADD COLUMN "may_be_offloaded" boolean NOT NULL DEFAULT false`,
    );
    await queryRunner.query(
      `CREATE TABLE "restored_backups" (
         "backup_id" uuid NOT NULL,
         "restored_at" timestamptz NOT NULL DEFAULT now(),
         CONSTRAINT "restored_backups_pkey" PRIMARY KEY ("backup_id")
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "restored_backups"`);
    await queryRunner.query(`ALTER TABLE "archived_mails" DROP COLUMN "may_be_offloaded"`);
  }
}
