import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the messages of a mailbox whose header another one has: they are few. */
export class AlikeMessages1763700000061 implements MigrationInterface {
  name = 'AlikeMessages1763700000061';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "imap_messages_alike_idx" ON "imap_messages" ("account_id", split_part("message_id", '~', 1))
       WHERE "message_id" LIKE '%~%'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "imap_messages_alike_idx"`);
  }
}
