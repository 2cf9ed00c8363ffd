import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails in a batch, which takes some tenths of a second: their rows are not locked for longer. */
const BATCH = 2_000;

/**
 * The index keeps no snippet of a message whose archived copy is encrypted, and the tracking scan no addresses. What
 * earlier versions left of mails that are encrypted already goes in batches of their own: a mailbox may have a million
 * messages. Imported copies are known by their Message-ID, which the index can be searched for from now on. It is
 * harmless to begin again.
 */
export class BodiesOfEncryptedMail1763700000021 implements MigrationInterface {
  readonly name = 'BodiesOfEncryptedMail1763700000021';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "mailbox_messages" ALTER COLUMN "snippet" DROP NOT NULL`);
    await queryRunner.query(
      `CREATE INDEX IF NOT EXISTS "mailbox_messages_message_id_header_idx" ON "mailbox_messages"
         ("account_id", hashtextextended("message_id_header", 0)) WHERE message_id_header IS NOT NULL`,
    );
    const accounts = (await queryRunner.query(
      `SELECT account_id AS id FROM archive_totals WHERE encrypted > 0 ORDER BY account_id`,
    )) as { id: string }[];
    for (const { id } of accounts) await withhold(queryRunner, id);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX "mailbox_messages_message_id_header_idx"`);
    await queryRunner.query(`UPDATE "mailbox_messages" SET "snippet" = '' WHERE "snippet" IS NULL`);
    await queryRunner.query(`ALTER TABLE "mailbox_messages" ALTER COLUMN "snippet" SET NOT NULL`);
  }
}

async function withhold(queryRunner: QueryRunner, accountId: string): Promise<void> {
  for (let after = ''; ;) {
    const mails = (await queryRunner.query(
      `SELECT mailbox_message_id AS id FROM archived_mails
        WHERE account_id = $1 AND mailbox_message_id > $2 AND is_encrypted ORDER BY mailbox_message_id LIMIT $3`,
      [accountId, after, BATCH],
    )) as { id: string }[];
    const names = mails.map(({ id }) => id);
    const messages = (await queryRunner.query(
      `SELECT name AS id FROM unnest($2::text[]) AS name
        UNION
       SELECT indexed.message_id FROM unnest($2::text[]) AS name
        CROSS JOIN LATERAL (
          SELECT message_id_header AS header FROM archived_mails
           WHERE account_id = $1 AND mailbox_message_id = name LIMIT 1
        ) archived
        CROSS JOIN LATERAL (
          SELECT message_id FROM mailbox_messages
           WHERE account_id = $1 AND message_id_header IS NOT NULL
             AND hashtextextended(message_id_header, 0) = hashtextextended(archived.header, 0)
             AND message_id_header = archived.header OFFSET 0
        ) indexed`,
      [accountId, names],
    )) as { id: string }[];
    const ids = messages.map(({ id }) => id);
    await queryRunner.query(
      `UPDATE mailbox_messages SET snippet = NULL
        WHERE account_id = $1 AND message_id = ANY ($2::text[]) AND snippet IS NOT NULL`,
      [accountId, ids],
    );
    await queryRunner.query(
      `UPDATE tracking_scans SET trackers = (
         SELECT jsonb_agg(tracker - '{url,params}'::text[] ORDER BY position)
           FROM jsonb_array_elements(trackers) WITH ORDINALITY AS found (tracker, position)
       )
       WHERE account_id = $1 AND mailbox_message_id = ANY ($2::text[]) AND tracker_count > 0`,
      [accountId, ids],
    );
    if (names.length < BATCH) return;
    after = names[names.length - 1] as string;
  }
}
