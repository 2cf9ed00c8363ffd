import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One passphrase per user, kept as a hash only. */
export class EncryptionPassphrases1763700000006 implements MigrationInterface {
  readonly name = 'EncryptionPassphrases1763700000006';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "encryption_passphrases" (
         "user_id" uuid NOT NULL,
         "hash" text NOT NULL,
         "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
         CONSTRAINT "encryption_passphrases_pkey" PRIMARY KEY ("user_id")
       )`,
    );
    await queryRunner.query(
      `ALTER TABLE "encryption_passphrases" ADD CONSTRAINT "encryption_passphrases_user_id_fkey"
         FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "encryption_passphrases"`);
  }
}
