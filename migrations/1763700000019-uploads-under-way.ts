import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploads have a row from their beginning, which says that they are still under way. */
export class UploadsUnderWay1763700000019 implements MigrationInterface {
  readonly name = 'UploadsUnderWay1763700000019';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "import_uploads" ADD "touched_at" timestamp with time zone NOT NULL DEFAULT now()`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "import_uploads" DROP "touched_at"`);
  }
}
