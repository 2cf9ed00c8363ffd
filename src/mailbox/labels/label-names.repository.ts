import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import type { MailboxLabel } from '../../providers/port/mailbox-provider.port';
import { LabelNameEntity } from './label-name.entity';

/** Names of labels. Every statement is restricted to one account. */
@Injectable()
export class LabelNamesRepository extends BaseRepository<LabelNameEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, LabelNameEntity);
  }

  async namesOf(accountId: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.queryRows(
      { label_id: column.text, name: column.text },
      `SELECT label_id, name FROM label_names WHERE account_id = $1 AND type = 'user'`,
      [accountId],
    );
    return new Map(rows.map(({ label_id: id, name }) => [id, name]));
  }

  /**
   * Stores all labels of a mailbox, and marks those that it no longer has.
   * @param labels all labels of the mailbox
   * @returns ids of the user's labels that existed when labels were last listed, and no longer do
   */
  async replace(accountId: string, labels: readonly MailboxLabel[]): Promise<string[]> {
    await this.execute(
      `INSERT INTO label_names (account_id, label_id, name, type)
       SELECT account.id, named.label_id, named.name, named.type
         FROM mailbox_accounts account,
              unnest($2::text[], $3::text[], $4::text[]) AS named (label_id, name, type)
        WHERE account.id = $1
        ORDER BY named.label_id
       ON CONFLICT (account_id, label_id) DO UPDATE SET name = excluded.name, type = excluded.type, gone_at = NULL
        WHERE (label_names.name, label_names.type, label_names.gone_at)
          IS DISTINCT FROM (excluded.name, excluded.type, NULL)`,
      [accountId, labels.map(({ id }) => id), labels.map(({ name }) => name), labels.map(({ type }) => type)],
    );
    const rows = await this.queryRows(
      { id: column.text },
      `UPDATE label_names SET gone_at = clock_timestamp()
        WHERE account_id = $1 AND gone_at IS NULL AND type = 'user' AND label_id <> ALL ($2::text[])
       RETURNING label_id AS id`,
      [accountId, labels.map(({ id }) => id)],
    );
    return rows.map(({ id }) => id);
  }

  /** Stores labels that are new or renamed. */
  save(accountId: string, labels: readonly Pick<MailboxLabel, 'id' | 'name'>[]): Promise<void> {
    return this.execute(
      `INSERT INTO label_names (account_id, label_id, name)
       SELECT account.id, named.label_id, named.name
         FROM mailbox_accounts account,
              unnest($2::text[], $3::text[]) AS named (label_id, name)
        WHERE account.id = $1
          AND NOT EXISTS (SELECT FROM label_names known WHERE known.account_id = account.id
                             AND known.label_id = named.label_id AND known.name = named.name)
        ORDER BY named.label_id
       ON CONFLICT (account_id, label_id) DO UPDATE SET name = excluded.name`,
      [accountId, labels.map(({ id }) => id), labels.map(({ name }) => name)],
    );
  }
}
