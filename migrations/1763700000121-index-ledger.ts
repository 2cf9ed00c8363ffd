import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state of the text of each mail, and indexes by which mails and attachments are counted and listed by state. */
export class IndexLedger1763700000121 implements MigrationInterface {
  readonly name = 'IndexLedger1763700000121';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE "archived_mails" ADD "text_state" character varying(9) NOT NULL DEFAULT 'indexed'`,
    );
    // The reader may have given up a mail when it was archived; only its defects said so.
    await queryRunner.query(`UPDATE "archived_mails" SET reader_problem = 'unparsed'
      WHERE reader_problem IS NULL AND NOT is_encrypted AND 'the message could not be parsed' = ANY (defects)`);
    await queryRunner.query(
      `UPDATE "archived_mails" SET text_state = 'failed' WHERE reader_problem IS NOT NULL`,
    );
    await queryRunner.query(`UPDATE "archived_mails" SET text_state = 'too-large' WHERE reader_problem IS NULL AND defects && ARRAY[
      'only the first 4 MiB of the text are searched',
      'only the first 4 MiB of attached text are searched',
      'only the first part of the text is searched, as its words are repeated too often']`);
    await queryRunner.query(`CREATE INDEX "archived_mails_text_state_idx" ON "archived_mails" ("account_id", "text_state", "id")
      WHERE text_state <> 'indexed'`);
    await queryRunner.query(
      `CREATE INDEX "archived_mails_encrypted_idx" ON "archived_mails" ("account_id", "id") WHERE is_encrypted`,
    );
    await queryRunner.query(`UPDATE "archived_attachments" a SET text_state = 'encrypted', text_reason = 'mail'
      FROM "archived_mails" m WHERE m.id = a.mail_id AND m.account_id = a.account_id AND m.is_encrypted AND a.text_state = 'waiting'`);
    await queryRunner.query(`CREATE INDEX "archived_attachments_text_state_idx" ON "archived_attachments"
      ("account_id", "text_state", "mail_id", "id")`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "archived_attachments_text_state_idx"`);
    await queryRunner.query(`DROP INDEX "archived_mails_encrypted_idx"`);
    await queryRunner.query(`ALTER TABLE "archived_mails" DROP "text_state"`);
  }
}
