import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails in a batch, which takes some tenths of a second: their rows are not locked for longer. */
const BATCH = 2_000;
/** As imports name a mail whose Message-ID has no `<`. */
const PREFIX = 'message-id:';

/**
 * Imports gave mails their Message-ID as their name, also one that may be an id of the provider. Such names get the
 * prefix that they have by now, in batches of their own, unless another mail has the new name. It is harmless to begin
 * again.
 */
export class NamesOfEarlierImports1763700000022 implements MigrationInterface {
  readonly name = 'NamesOfEarlierImports1763700000022';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const accounts = (await queryRunner.query(`SELECT id FROM mailbox_accounts ORDER BY id`)) as {
      id: string;
    }[];
    for (const { id } of accounts) await rename(queryRunner, id);
  }

  /** Versions before read names of either form. */
  async down(): Promise<void> {}
}

async function rename(queryRunner: QueryRunner, accountId: string): Promise<void> {
  for (let after = ''; ;) {
    const mails = (await queryRunner.query(
      `SELECT mailbox_message_id AS name FROM archived_mails
        WHERE account_id = $1 AND mailbox_message_id > $2 ORDER BY mailbox_message_id LIMIT $3`,
      [accountId, after, BATCH],
    )) as { name: string }[];
    const names = mails.map(({ name }) => name);
    await queryRunner.query(
      `UPDATE archived_mails AS mail SET mailbox_message_id = $3::text || mailbox_message_id
        WHERE account_id = $1 AND mailbox_message_id = ANY ($2::text[])
          AND mailbox_message_id = btrim(message_id_header)
          AND mailbox_message_id !~ '^(<|sha256:|message-id:)'
          AND NOT EXISTS (
            SELECT 1 FROM archived_mails AS other
             WHERE other.account_id = $1 AND other.mailbox_message_id = $3::text || mail.mailbox_message_id
          )`,
      [accountId, names, PREFIX],
    );
    if (names.length < BATCH) return;
    after = names[names.length - 1] as string;
  }
}
