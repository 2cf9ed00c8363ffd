import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists by size, by subject and of a label are found by indexes. Each mail takes some 25 microseconds and 350 bytes of log
 * more to archive, and the indexes 170 bytes; the index of sizes takes the place of one that only the deletion of a user
 * still used, which has a smaller one now. Subjects are cut, for they can exceed an entry of a btree index.
 *
 * Mails have few months, which PostgreSQL learns from statistics of the expression: it would sort all mails to count
 * them by month.
 *
 * The row of totals changes with everything that lists filter by: what is remembered of an archive is named by its version.
 */
export class SortedArchiveLists1763700000032 implements MigrationInterface {
  readonly name = 'SortedArchiveLists1763700000032';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX "archived_mails_user_size_idx"');
    for (const [name, definition] of INDEXES) {
      await queryRunner.query(`CREATE INDEX "${name}" ON "archived_mails" ${definition}`);
    }
    await queryRunner.query(
      `CREATE STATISTICS "archived_mails_month_stats" ON (date_trunc('month', "date" AT TIME ZONE 'UTC'))
         FROM "archived_mails"`,
    );
    await queryRunner.query('ANALYZE "archived_mails"');
    await queryRunner.query(TOUCH_TOTALS);
    await queryRunner.query(TRIGGER);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER archived_mails_searched ON archived_mails');
    await queryRunner.query('DROP FUNCTION archived_mails_searched()');
    await queryRunner.query('DROP STATISTICS "archived_mails_month_stats"');
    for (const [name] of INDEXES) await queryRunner.query(`DROP INDEX "${name}"`);
    await queryRunner.query(
      'CREATE INDEX "archived_mails_user_size_idx" ON "archived_mails" ("user_id", "size_bytes")',
    );
  }
}

const INDEXES: readonly (readonly [string, string])[] = [
  ['archived_mails_user_idx', '("user_id")'],
  ['archived_mails_account_size_idx', '("account_id", "size_bytes", "date", "id")'],
  [
    'archived_mails_account_subject_idx',
    '("account_id", (lower("left"("subject", 60)) COLLATE "C"), "date", "id")',
  ],
  ['archived_mails_account_labels_idx', 'USING gin ("account_id", "label_ids")'],
];

/** What lists filter by, beside what totals are made of. */
const SEARCHED = ['id', 'account_id', 'label_ids', 'archived_at', 'sender', 'recipient'];

/**
 * Writes the row of totals anew, as it is: its version changes. Not by a join, whose plan a session makes for its first mail
 * and keeps for thousands.
 */
const TOUCH_TOTALS = `CREATE FUNCTION archived_mails_searched() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE archive_totals t SET bytes = t.bytes
      WHERE t.account_id IN (
        SELECT account_id FROM (
          SELECT ${SEARCHED.join(', ')} FROM after EXCEPT SELECT ${SEARCHED.join(', ')} FROM before
        ) changed
      );
     RETURN NULL;
   END $$`;

const TRIGGER = `CREATE TRIGGER archived_mails_searched AFTER UPDATE ON archived_mails
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION archived_mails_searched()`;
