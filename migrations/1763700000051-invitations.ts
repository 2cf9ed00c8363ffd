import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users whom an administrator has added, and who have no password yet. */
export class Invitations1763700000051 implements MigrationInterface {
  name = 'Invitations1763700000051';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "invitations" (
         "user_id" uuid NOT NULL,
         "token_hash" bytea NOT NULL,
         "expires_at" timestamp with time zone NOT NULL,
         "created_at" timestamp with time zone NOT NULL DEFAULT now(),
         CONSTRAINT "invitations_pkey" PRIMARY KEY ("user_id"),
         CONSTRAINT "invitations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE
       )`,
    );
    await queryRunner.query(`CREATE UNIQUE INDEX "invitations_token_key" ON "invitations" ("token_hash")`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "invitations"`);
  }
}
