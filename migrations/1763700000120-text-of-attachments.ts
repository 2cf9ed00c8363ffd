import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Text of attachments by page, and what is known of each attachment's text; those of earlier versions are read in the background. */
export class TextOfAttachments1763700000120 implements MigrationInterface {
  name = 'TextOfAttachments1763700000120';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "archived_attachments"
      ADD "text_state" character varying(9) NOT NULL DEFAULT 'waiting',
      ADD "text_reason" character varying(16),
      ADD "text_attempts" smallint NOT NULL DEFAULT 0,
      ADD "is_in_words" boolean NOT NULL DEFAULT false,
      ADD "content_sha256" bytea`);
    await queryRunner.query(`CREATE INDEX "archived_attachments_waiting_idx" ON "archived_attachments" ("account_id", "mail_id", "id")
      WHERE text_state = 'waiting'`);
    await queryRunner.query(`CREATE INDEX "archived_attachments_sha256_idx" ON "archived_attachments" ("account_id", "content_sha256")
      WHERE content_sha256 IS NOT NULL`);
    await queryRunner.query(`CREATE TABLE "archived_attachment_pages" (
      "id" uuid NOT NULL,
      "account_id" uuid NOT NULL,
      "mail_id" uuid NOT NULL,
      "attachment_id" uuid NOT NULL,
      "number" integer NOT NULL,
      "member" text,
      "kind" character varying(5),
      "name" text,
      "text" text NOT NULL,
      "words" tsvector NOT NULL,
      CONSTRAINT "archived_attachment_pages_pkey" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(
      `CREATE INDEX "archived_attachment_pages_attachment_idx" ON "archived_attachment_pages" ("attachment_id", "number")`,
    );
    await queryRunner.query(
      `CREATE INDEX "archived_attachment_pages_mail_idx" ON "archived_attachment_pages" ("mail_id")`,
    );
    await queryRunner.query(`CREATE INDEX "archived_attachment_pages_search_idx" ON "archived_attachment_pages"
      USING gin ("account_id", "words") WITH (fastupdate = on, gin_pending_list_limit = 1024)`);
    await queryRunner.query(`ALTER TABLE "archived_attachment_pages"
      ADD CONSTRAINT "archived_attachment_pages_mail_id_fkey" FOREIGN KEY ("mail_id") REFERENCES "archived_mails" ("id") ON DELETE CASCADE,
      ADD CONSTRAINT "archived_attachment_pages_attachment_id_fkey"
        FOREIGN KEY ("attachment_id") REFERENCES "archived_attachments" ("id") ON DELETE CASCADE`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "archived_attachment_pages"`);
    await queryRunner.query(`ALTER TABLE "archived_attachments"
      DROP "content_sha256", DROP "is_in_words", DROP "text_attempts", DROP "text_reason", DROP "text_state"`);
    await queryRunner.query(`DELETE FROM "account_chores" WHERE chore = 'read_attachments'`);
  }
}
