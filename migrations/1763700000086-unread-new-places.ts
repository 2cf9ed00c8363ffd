import type { MigrationInterface, QueryRunner } from 'typeorm';

/** New messages whose headers have not been read are found at each look, also while those of a large mailbox are missing. */
export class UnreadNewPlaces1763700000086 implements MigrationInterface {
  name = 'UnreadNewPlaces1763700000086';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX "imap_places_unread_new_idx" ON "imap_places" ("account_id", "folder_id", "uid") WHERE message_id IS NULL AND NOT is_initial`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "imap_places_unread_new_idx"`);
  }
}
