import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mailboxes connected by IMAP: their server, and what was decided about it. */
export class ImapAccounts1763700000048 implements MigrationInterface {
  readonly name = 'ImapAccounts1763700000048';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "imap_accounts" (
         "account_id" uuid NOT NULL,
         "host" character varying(255) NOT NULL,
         "port" integer NOT NULL,
         "security" character varying(8) NOT NULL,
         "username" character varying(320) NOT NULL,
         "certificate_sha256" text,
         "capabilities" text array NOT NULL DEFAULT '{}',
         "preset" character varying(32),
         "max_connections" integer NOT NULL DEFAULT 3,
         "exact_sizes" boolean NOT NULL DEFAULT true,
         "roles" jsonb NOT NULL DEFAULT '{}',
         "created_at" timestamp with time zone NOT NULL DEFAULT now(),
         "updated_at" timestamp with time zone NOT NULL DEFAULT now(),
         CONSTRAINT "imap_accounts_pkey" PRIMARY KEY ("account_id"),
         CONSTRAINT "imap_accounts_account_id_fkey" FOREIGN KEY ("account_id")
           REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "imap_accounts"');
  }
}
