import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attachments with pictures whose text is not recognized are found by the reason `pictures`, whatever their state is. */
export class UnreadPictures1763700000125 implements MigrationInterface {
  name = 'UnreadPictures1763700000125';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX "archived_attachments_pictures_idx" ON "archived_attachments"
      ("account_id", "text_state", "mail_id", "id") WHERE text_reason = 'pictures'`);
    await queryRunner.query(`DROP INDEX "archived_attachments_waiting_idx"`);
    await queryRunner.query(`CREATE INDEX "archived_attachments_waiting_idx" ON "archived_attachments"
      ("account_id", "mail_id", "id") WHERE text_state = 'waiting' AND text_reason IS DISTINCT FROM 'pictures'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "archived_attachments_waiting_idx"`);
    await queryRunner.query(`CREATE INDEX "archived_attachments_waiting_idx" ON "archived_attachments"
      ("account_id", "mail_id", "id") WHERE text_state = 'waiting'`);
    await queryRunner.query(`DROP INDEX "archived_attachments_pictures_idx"`);
    await queryRunner.query(`DELETE FROM "account_chores" WHERE chore = 'recognize_pictures'`);
  }
}
