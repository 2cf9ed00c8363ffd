import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The version of the reader that has read an archived mail, and why it could not. Rows of earlier versions have 0; the service reads
 * their files again in the background, and `archived_mails_outdated_idx` holds those that are left. It takes the place of
 * `archived_mails_undated_idx`, and the task `reread_mails` that of `date_mails`. See ADR 116.
 *
 * A mail that is read again may have another sender: the newest name and date of both addresses follow by a trigger that runs after
 * those that count the mails of senders.
 */
export class ReaderVersions1763700000107 implements MigrationInterface {
  readonly name = 'ReaderVersions1763700000107';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...COLUMNS, ...RENAMED]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await queryRunner.query(statement);
  }
}

const COLUMNS = [
  `ALTER TABLE "archived_mails"
     ADD COLUMN "reader_version" smallint NOT NULL DEFAULT 0,
     ADD COLUMN "reader_problem" character varying(16)`,
  `DROP INDEX "archived_mails_undated_idx"`,
  `CREATE INDEX "archived_mails_outdated_idx" ON "archived_mails" ("account_id", "id")
     WHERE ((reader_version < 1 AND NOT is_encrypted) OR received_at IS NULL)`,
  `DELETE FROM "account_chores" WHERE chore = 'date_mails'`,
];

const differing = (columns: string, side: 'before' | 'after'): string =>
  `(SELECT ${columns} FROM ${side} EXCEPT SELECT ${columns} FROM ${side === 'before' ? 'after' : 'before'})`;

/** The name follows `archived_senders_changed`: triggers run in the order of their names. */
const RENAMED = [
  `CREATE FUNCTION archived_senders_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF NOT EXISTS ${differing('id, sender', 'after')} THEN RETURN NULL; END IF;
     WITH touched AS MATERIALIZED (
       SELECT account_id, archived_sender_address(sender) AS address
         FROM ${differing('id, account_id, sender', 'after')} a
       UNION
       SELECT account_id, archived_sender_address(sender)
         FROM ${differing('id, account_id, sender', 'before')} b
     ), named AS MATERIALIZED (
       SELECT account_id, sender_key, archived_sender_address(sender) AS address FROM archived_sender_names
        WHERE account_id IN (SELECT account_id FROM touched)
     ), newest AS (
       SELECT DISTINCT ON (named.account_id, named.address) named.account_id, named.address, mail.sender, mail.date
         FROM touched JOIN named USING (account_id, address)
        CROSS JOIN LATERAL (
          SELECT m.sender, m.date FROM archived_mails m
           WHERE m.account_id = named.account_id AND archived_sender_key(m.sender) = named.sender_key
           ORDER BY m.date DESC LIMIT 1
        ) mail
        ORDER BY named.account_id, named.address, mail.date DESC
     )
     UPDATE archived_senders known SET sender = newest.sender, latest_date = newest.date
       FROM newest WHERE known.account_id = newest.account_id AND known.address = newest.address;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER archived_senders_renamed AFTER UPDATE ON archived_mails
     REFERENCING OLD TABLE AS before NEW TABLE AS after
     FOR EACH STATEMENT EXECUTE FUNCTION archived_senders_renamed()`,
];

const REVERSE = [
  `DROP TRIGGER archived_senders_renamed ON archived_mails`,
  `DROP FUNCTION archived_senders_renamed()`,
  `DELETE FROM "account_chores" WHERE chore = 'reread_mails'`,
  `DROP INDEX "archived_mails_outdated_idx"`,
  `CREATE INDEX "archived_mails_undated_idx" ON "archived_mails" ("account_id", "id") WHERE received_at IS NULL`,
  `ALTER TABLE "archived_mails" DROP COLUMN "reader_problem", DROP COLUMN "reader_version"`,
];
