import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Drafts that were given the id of another one, because a server had given them its UID, have their headers read again: they
 * get ids of their own.
 */
export class DraftsWithIdsOfOthers1763700000088 implements MigrationInterface {
  name = 'DraftsWithIdsOfOthers1763700000088';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `WITH misnamed AS (
         UPDATE "imap_places" place SET "message_id" = NULL, "failed_at" = NULL, "is_initial" = false
         FROM "imap_messages" message
         WHERE message."account_id" = place."account_id" AND message."message_id" = place."message_id"
           AND place."message_id" LIKE 'd.%' AND place."internal_date" <> message."internal_date"
         RETURNING message."account_id", message."message_id"
       )
       UPDATE "imap_messages" message SET "is_dirty" = true FROM misnamed
       WHERE message."account_id" = misnamed."account_id" AND message."message_id" = misnamed."message_id"`,
    );
  }

  async down(): Promise<void> {
    // The ids stay: earlier versions take them as they are.
  }
}
