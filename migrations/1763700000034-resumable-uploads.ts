import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploads that come in pieces: what has arrived, and which request is writing. */
export class ResumableUploads1763700000034 implements MigrationInterface {
  readonly name = 'ResumableUploads1763700000034';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "import_uploads" ADD "received_bytes" bigint, ADD "lease_token" uuid,
         ADD "lease_until" timestamp with time zone`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "import_uploads" DROP "lease_until", DROP "lease_token", DROP "received_bytes"`,
    );
  }
}
