import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How users want pages shown. */
export class DisplayPreferences1763700000046 implements MigrationInterface {
  readonly name = 'DisplayPreferences1763700000046';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "display_preferences" (
        "user_id" uuid NOT NULL,
        "language" character varying(8),
        "timezone" character varying(64),
        "theme" character varying(16),
        "density" character varying(16),
        CONSTRAINT "display_preferences_pkey" PRIMARY KEY ("user_id"),
        CONSTRAINT "display_preferences_user_id_fkey" FOREIGN KEY ("user_id")
          REFERENCES "users" ("id") ON DELETE CASCADE
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "display_preferences"');
  }
}
