import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links with which users choose another password. */
export class PasswordResets1763700000077 implements MigrationInterface {
  name = 'PasswordResets1763700000077';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "password_resets" (
         "user_id" uuid NOT NULL,
         "token_hash" bytea NOT NULL,
         "password_seen" bytea NOT NULL,
         "expires_at" TIMESTAMP WITH TIME ZONE NOT NULL,
         "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
         CONSTRAINT "password_resets_pkey" PRIMARY KEY ("user_id"),
         CONSTRAINT "password_resets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "password_resets_token_key" ON "password_resets" ("token_hash")`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "password_resets"`);
  }
}
