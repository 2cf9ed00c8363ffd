import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exports that are downloaded from an address of their own. */
export class PreparedExports1763700000035 implements MigrationInterface {
  readonly name = 'PreparedExports1763700000035';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "prepared_exports" (
         "id" uuid NOT NULL,
         "user_id" uuid NOT NULL,
         "account_id" uuid NOT NULL,
         "format" character varying(8) NOT NULL,
         "compress" boolean NOT NULL,
         "mail_ids" uuid array,
         "sealed_passphrase" text,
         "created_at" timestamp with time zone NOT NULL DEFAULT now(),
         "expires_at" timestamp with time zone NOT NULL,
         CONSTRAINT "prepared_exports_pkey" PRIMARY KEY ("id"),
         CONSTRAINT "prepared_exports_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE,
         CONSTRAINT "prepared_exports_account_id_fkey" FOREIGN KEY ("account_id")
           REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      `CREATE INDEX "prepared_exports_user_id_idx" ON "prepared_exports" ("user_id", "created_at")`,
    );
    await queryRunner.query(
      `CREATE INDEX "prepared_exports_account_id_idx" ON "prepared_exports" ("account_id")`,
    );
    await queryRunner.query(
      `CREATE INDEX "prepared_exports_expires_at_idx" ON "prepared_exports" ("expires_at")`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "prepared_exports"');
  }
}
