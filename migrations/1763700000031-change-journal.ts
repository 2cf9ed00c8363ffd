import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "change_journal" (
     "job_id" uuid NOT NULL,
     "chunk" integer NOT NULL,
     "account_id" uuid NOT NULL,
     "action" character varying(32) NOT NULL,
     "label_id" character varying(255),
     "ids" bytea NOT NULL,
     "flags" bytea NOT NULL,
     "cursor" text NOT NULL,
     "expires_at" timestamp with time zone NOT NULL,
     "undone_by" character varying(80),
     CONSTRAINT "change_journal_pkey" PRIMARY KEY ("job_id", "chunk"),
     CONSTRAINT "change_journal_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs" ("id") ON DELETE CASCADE,
     CONSTRAINT "change_journal_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "change_journal_account_idx" ON "change_journal" ("account_id")`,
  `CREATE INDEX "change_journal_expiry_idx" ON "change_journal" ("expires_at")`,
];

/** What bulk changes have changed, so that they can be undone. */
export class ChangeJournal1763700000031 implements MigrationInterface {
  readonly name = 'ChangeJournal1763700000031';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "change_journal"');
  }
}
