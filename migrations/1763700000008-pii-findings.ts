import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What scans for personal data found: a row for each mail and type. `mail_date` is that of the mail, so that lists are
 * read from one index; `is_first` marks one row of each mail, so that mails are counted in the same pass as findings.
 */
export class PiiFindings1763700000008 implements MigrationInterface {
  readonly name = 'PiiFindings1763700000008';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "pii_findings" (
         "id" uuid NOT NULL,
         "account_id" uuid NOT NULL,
         "mail_id" uuid NOT NULL,
         "mail_date" TIMESTAMP WITH TIME ZONE NOT NULL,
         "pii_type" character varying(32) NOT NULL,
         "is_first" boolean NOT NULL,
         "count" integer NOT NULL,
         "snippet" text NOT NULL,
         "scanned_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
         CONSTRAINT "pii_findings_pkey" PRIMARY KEY ("id")
       )`,
    );
    await queryRunner.query(
      `ALTER TABLE "pii_findings"
         ADD CONSTRAINT "pii_findings_account_id_fkey"
           FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
         ADD CONSTRAINT "pii_findings_mail_id_fkey"
           FOREIGN KEY ("mail_id") REFERENCES "archived_mails"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "pii_findings_mail_type_key" ON "pii_findings" ("mail_id", "pii_type")`,
    );
    await queryRunner.query(
      `CREATE INDEX "pii_findings_account_date_idx" ON "pii_findings" ("account_id", "mail_date", "mail_id", "pii_type")`,
    );
    await queryRunner.query(
      `CREATE INDEX "pii_findings_account_type_idx"
         ON "pii_findings" ("account_id", "pii_type", "mail_date", "mail_id") INCLUDE ("count", "is_first")`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "pii_findings"`);
  }
}
