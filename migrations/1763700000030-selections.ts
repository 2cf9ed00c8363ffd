import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "selections" (
     "id" uuid NOT NULL,
     "user_id" uuid NOT NULL,
     "account_id" uuid NOT NULL,
     "message_ids" text array NOT NULL,
     "expires_at" timestamp with time zone NOT NULL,
     "created_at" timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
     CONSTRAINT "selections_pkey" PRIMARY KEY ("id"),
     CONSTRAINT "selections_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE,
     CONSTRAINT "selections_account_id_fkey" FOREIGN KEY ("account_id")
       REFERENCES "mailbox_accounts" ("id") ON DELETE CASCADE
   )`,
  `CREATE INDEX "selections_user_idx" ON "selections" ("user_id", "created_at")`,
  `CREATE INDEX "selections_account_idx" ON "selections" ("account_id")`,
  `CREATE INDEX "selections_expiry_idx" ON "selections" ("expires_at")`,
];

/** What queries found, for a change that its user confirms. */
export class Selections1763700000030 implements MigrationInterface {
  readonly name = 'Selections1763700000030';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "selections"');
  }
}
