import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files and folders of the server's disk are imported where they lie. */
export class ImportPlaces1763700000100 implements MigrationInterface {
  name = 'ImportPlaces1763700000100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "import_places" ("id" uuid NOT NULL, "user_id" uuid NOT NULL, "account_id" uuid NOT NULL, "job_id" uuid NOT NULL, "path" text NOT NULL, "fingerprint" text NOT NULL, "is_watched" boolean NOT NULL, "settled_as" character varying(8), "created_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(), CONSTRAINT "PK_import_places" PRIMARY KEY ("id"))`,
    );
    await queryRunner.query(`CREATE INDEX "import_places_job_idx" ON "import_places" ("job_id")`);
    // A watched account has one import at a time, and so has each of its files.
    await queryRunner.query(
      `CREATE UNIQUE INDEX "import_places_watched_key" ON "import_places" ("account_id") WHERE is_watched AND settled_as IS NULL`,
    );
    await queryRunner.query(
      `ALTER TABLE "import_places" ADD CONSTRAINT "import_places_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "import_places" ADD CONSTRAINT "import_places_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await queryRunner.query(
      `ALTER TABLE "import_places" ADD CONSTRAINT "import_places_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "import_places"`);
  }
}
