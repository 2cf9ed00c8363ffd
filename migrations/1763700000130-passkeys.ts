import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys of users. */
export class Passkeys1763700000130 implements MigrationInterface {
  name = 'Passkeys1763700000130';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE "passkeys" (
      "id" uuid NOT NULL,
      "user_id" uuid NOT NULL,
      "name" character varying(100) NOT NULL,
      "credential_id" bytea NOT NULL,
      "public_key" bytea NOT NULL,
      "counter" bigint NOT NULL,
      "transports" text array NOT NULL DEFAULT '{}',
      "is_synced" boolean NOT NULL,
      "last_used_at" TIMESTAMP WITH TIME ZONE,
      "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
    )`);
    await queryRunner.query(`CREATE INDEX "passkeys_user_idx" ON "passkeys" ("user_id", "id")`);
    await queryRunner.query(`CREATE UNIQUE INDEX "passkeys_credential_key" ON "passkeys" ("credential_id")`);
    await queryRunner.query(
      `ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "passkeys"`);
  }
}
