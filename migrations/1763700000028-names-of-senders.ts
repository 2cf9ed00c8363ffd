import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `archived_sender_names`: one row for each From line of an account's archive, with the number of its mails. A search for
 * a part of a sender reads these, thousands instead of a million, and finds the mails of each by an index that is
 * ordered by date; the trigram index over all mails, which cost every archived mail some forty entries, goes.
 *
 * From lines can be longer than an entry of a btree index, so that rows and index have a hash of them. The table
 * follows `archived_mails` by statement triggers, after those of `archive_totals`, whose lock on the account's row keeps
 * writers of one account apart. A fifth of its pages is free: updates of a count then touch no index.
 */
export class NamesOfSenders1763700000028 implements MigrationInterface {
  readonly name = 'NamesOfSenders1763700000028';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLE, ...TRIGGERS]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await queryRunner.query(statement);
  }
}

const TABLE = [
  // A process of the version before may still archive: its mails would be counted by neither the filling nor the triggers.
  `LOCK TABLE "archived_mails" IN SHARE ROW EXCLUSIVE MODE`,
  // Changing what it answers means to build the index and the table anew.
  `CREATE FUNCTION archived_sender_key(sender text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 100 AS $$
     SELECT encode(substr(sha256(convert_to(sender, 'UTF8')), 1, 16), 'hex')::uuid
   $$`,
  `CREATE TABLE "archived_sender_names" (
     "account_id" uuid NOT NULL,
     "sender_key" uuid NOT NULL,
     "sender" text NOT NULL,
     "mails" integer NOT NULL,
     CONSTRAINT "archived_sender_names_pkey" PRIMARY KEY ("account_id", "sender_key")
   ) WITH (fillfactor = 80)`,
  `INSERT INTO archived_sender_names (account_id, sender_key, sender, mails)
   SELECT account_id, archived_sender_key(sender), sender, mails
     FROM (SELECT account_id, sender, count(*)::int AS mails FROM archived_mails GROUP BY account_id, sender) named`,
  `ALTER TABLE "archived_sender_names" ADD CONSTRAINT "archived_sender_names_account_id_fkey"
     FOREIGN KEY ("account_id") REFERENCES "mailbox_accounts"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `CREATE INDEX "archived_sender_names_sender_idx" ON "archived_sender_names"
     USING gin ("account_id", lower("sender") gin_trgm_ops)`,
  `CREATE INDEX "archived_mails_sender_date_idx" ON "archived_mails"
     ("account_id", archived_sender_key("sender"), "date", "id")`,
  `DROP INDEX "archived_mails_sender_idx"`,
  `ANALYZE "archived_sender_names"`,
];

const TRIGGERS = [
  `CREATE FUNCTION archived_sender_names_added() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO archived_sender_names AS known (account_id, sender_key, sender, mails)
     SELECT account_id, archived_sender_key(sender) AS sender_key, sender, mails
       FROM (SELECT account_id, sender, count(*)::int AS mails FROM added GROUP BY account_id, sender) named
      ORDER BY account_id, sender_key
     ON CONFLICT (account_id, sender_key) DO UPDATE SET mails = known.mails + excluded.mails;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION archived_sender_names_removed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE archived_sender_names known SET mails = known.mails - gone.mails
       FROM (SELECT account_id, sender, count(*)::int AS mails FROM removed GROUP BY account_id, sender) gone
      WHERE known.account_id = gone.account_id AND known.sender_key = archived_sender_key(gone.sender);
     DELETE FROM archived_sender_names
      WHERE (account_id, sender_key) IN (
              SELECT account_id, archived_sender_key(sender)
                FROM (SELECT DISTINCT account_id, sender FROM removed) gone)
        AND mails <= 0;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION archived_sender_names_changed() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO archived_sender_names AS known (account_id, sender_key, sender, mails)
     SELECT account_id, archived_sender_key(sender) AS sender_key, sender, mails
       FROM (SELECT account_id, sender, sum(mails)::int AS mails
               FROM (SELECT account_id, sender, 1 AS mails FROM after
                     UNION ALL SELECT account_id, sender, -1 FROM before) changes
              GROUP BY account_id, sender HAVING sum(mails) <> 0) named
      ORDER BY account_id, sender_key
     ON CONFLICT (account_id, sender_key) DO UPDATE SET mails = known.mails + excluded.mails;
     IF FOUND THEN
       DELETE FROM archived_sender_names
        WHERE (account_id, sender_key) IN (
                SELECT account_id, archived_sender_key(sender)
                  FROM (SELECT DISTINCT account_id, sender FROM before) gone)
          AND mails <= 0;
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER archived_sender_names_added AFTER INSERT ON archived_mails
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION archived_sender_names_added()`,
  `CREATE TRIGGER archived_sender_names_removed AFTER DELETE ON archived_mails
     REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION archived_sender_names_removed()`,
  `CREATE TRIGGER archived_sender_names_changed AFTER UPDATE ON archived_mails
     REFERENCING OLD TABLE AS before NEW TABLE AS after
     FOR EACH STATEMENT EXECUTE FUNCTION archived_sender_names_changed()`,
];

const REVERSE = [
  `CREATE INDEX archived_mails_sender_idx ON archived_mails USING gin (account_id, lower(sender) gin_trgm_ops)`,
  `DROP INDEX "archived_mails_sender_date_idx"`,
  `DROP TRIGGER archived_sender_names_added ON archived_mails`,
  `DROP TRIGGER archived_sender_names_removed ON archived_mails`,
  `DROP TRIGGER archived_sender_names_changed ON archived_mails`,
  `DROP FUNCTION archived_sender_names_added(), archived_sender_names_removed(), archived_sender_names_changed()`,
  `DROP TABLE "archived_sender_names"`,
  `DROP FUNCTION archived_sender_key(text)`,
];
