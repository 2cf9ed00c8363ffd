import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is known of the trackers of live messages: one row for each message looked at. */
export class TrackingScans1763700000007 implements MigrationInterface {
  readonly name = 'TrackingScans1763700000007';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE "tracking_scans" (
         "id" uuid NOT NULL,
         "account_id" uuid NOT NULL,
         "mailbox_message_id" character varying(64) NOT NULL,
         "subject" text NOT NULL,
         "sender" text NOT NULL,
         "date" TIMESTAMP WITH TIME ZONE NOT NULL,
         "trackers" jsonb NOT NULL DEFAULT '[]',
         "tracker_count" integer NOT NULL DEFAULT 0,
         "rules_version" integer NOT NULL,
         "scanned_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now(),
         CONSTRAINT "tracking_scans_pkey" PRIMARY KEY ("id")
       )`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX "tracking_scans_account_message_key" ON "tracking_scans" ("account_id", "mailbox_message_id")`,
    );
    // The list: messages with trackers, newest first.
    await queryRunner.query(
      `CREATE INDEX "tracking_scans_tracked_idx" ON "tracking_scans" ("account_id", "date", "id") WHERE tracker_count > 0`,
    );
    await queryRunner.query(
      `ALTER TABLE "tracking_scans" ADD CONSTRAINT "tracking_scans_account_id_fkey"
         FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE "tracking_scans"`);
  }
}
