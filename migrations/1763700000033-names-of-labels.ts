import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names of the labels of mailboxes: archived mail has their ids, and may outlive the connection of its mailbox. */
export class NamesOfLabels1763700000033 implements MigrationInterface {
  readonly name = 'NamesOfLabels1763700000033';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE "label_names" (
        "account_id" uuid NOT NULL,
        "label_id" text NOT NULL,
        "name" text NOT NULL,
        CONSTRAINT "label_names_pkey" PRIMARY KEY ("account_id", "label_id")
      )
    `);
    await queryRunner.query(`
      ALTER TABLE "label_names" ADD CONSTRAINT "label_names_account_id_fkey"
        FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "label_names"');
  }
}
