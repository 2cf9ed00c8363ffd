import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much was read from and sent to the servers of mailboxes. */
export class TransferredBytes1763700000055 implements MigrationInterface {
  name = 'TransferredBytes1763700000055';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "provider_usage" ADD COLUMN "received_bytes" bigint NOT NULL DEFAULT 0,
                                    ADD COLUMN "sent_bytes" bigint NOT NULL DEFAULT 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "provider_usage" DROP COLUMN "sent_bytes", DROP COLUMN "received_bytes"`,
    );
  }
}
