import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was archived by IMAP before bytes were compared with their message is reviewed once. Until then, and until a comparison
 * has ended that begins later, the ledgers of these mailboxes are not exact: nothing is deletable.
 */
export class ImapCopyReviews1763700000057 implements MigrationInterface {
  name = 'ImapCopyReviews1763700000057';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "imap_copy_reviews" (
         "account_id" uuid NOT NULL,
         "begun_at" timestamp with time zone NOT NULL DEFAULT now(),
         "cursor_date" timestamp with time zone,
         "cursor_id" uuid,
         "checked" integer NOT NULL DEFAULT 0,
         "suspects" integer NOT NULL DEFAULT 0,
         "restored" integer NOT NULL DEFAULT 0,
         "finished_at" timestamp with time zone,
         CONSTRAINT "imap_copy_reviews_pkey" PRIMARY KEY ("account_id"),
         CONSTRAINT "imap_copy_reviews_account_id_fkey" FOREIGN KEY ("account_id")
           REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      `INSERT INTO "imap_copy_reviews" ("account_id") SELECT "account_id" FROM "imap_accounts"`,
    );
    await queryRunner.query(
      `UPDATE "archiving_settings" SET "exact" = false, "epoch" = "epoch" + 1
        WHERE "account_id" IN (SELECT "account_id" FROM "imap_accounts")`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "imap_copy_reviews"`);
  }
}
