import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How continuous archiving of a mailbox is doing. */
export class ContinuousArchiving1763700000043 implements MigrationInterface {
  readonly name = 'ContinuousArchiving1763700000043';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "archiving_settings"
        ADD COLUMN "filled_at" timestamp with time zone,
        ADD COLUMN "trouble" character varying(8),
        ADD COLUMN "notified_at" timestamp with time zone,
        ADD COLUMN "rejudge_since" timestamp with time zone
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE "archiving_settings" DROP COLUMN "rejudge_since", DROP COLUMN "notified_at", DROP COLUMN "trouble",
        DROP COLUMN "filled_at"
    `);
  }
}
