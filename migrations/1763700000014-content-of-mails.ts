import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE "archived_mails" ADD "content_mac" text`,
  `DROP INDEX "archived_mails_message_id_header_idx"`,
  `CREATE INDEX "archived_mails_message_id_header_idx" ON "archived_mails"
     ("account_id", hashtextextended("message_id_header", 0), hashtextextended("content_mac", 0))
     WHERE message_id_header IS NOT NULL`,
];

const DOWN = [
  `DROP INDEX "archived_mails_message_id_header_idx"`,
  `CREATE INDEX "archived_mails_message_id_header_idx" ON "archived_mails"
     ("account_id", hashtextextended("message_id_header", 0)) WHERE message_id_header IS NOT NULL`,
  `ALTER TABLE "archived_mails" DROP "content_mac"`,
];

/**
 * Mails of one Message-ID are compared by their content. Those archived before have none of it on record: their files
 * are read when an import has the same Message-ID.
 */
export class ContentOfMails1763700000014 implements MigrationInterface {
  readonly name = 'ContentOfMails1763700000014';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
