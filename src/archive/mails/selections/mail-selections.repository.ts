import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import { ArchivedMailEntity } from '../archived-mail.entity';

/** A selected mail. */
export interface SelectedMail {
  readonly id: string;
  readonly threadId: string;
  readonly sizeBytes: number;
  readonly isEncrypted: boolean;
}

/** Labels as some mails have them. */
export interface LabelSet {
  readonly labelIds: readonly string[];
  /** Whether the mails were imported, so that their labels are names. */
  readonly isImported: boolean;
}

/** Mails that people select in other ways than by their ids or a filter. */
@Injectable()
export class MailSelectionsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** @returns at most `limit` ids */
  async findIdsOfThreads(accountId: string, threadIds: readonly string[], limit: number): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      'SELECT id FROM archived_mails WHERE account_id = $1 AND thread_id = ANY ($2::text[]) LIMIT $3',
      [accountId, threadIds, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** @returns at most `limit` ids of mails whose messages an offload plan has moved to the trash */
  async findIdsOfPlan(accountId: string, planId: string, limit: number): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      'SELECT id FROM archived_mails WHERE account_id = $1 AND offload_plan_id = $2 LIMIT $3',
      [accountId, planId, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** The selected mails that the account has, oldest first. */
  async describe(accountId: string, ids: readonly string[]): Promise<SelectedMail[]> {
    const rows = await this.queryRows(
      { id: column.text, thread_id: column.text, size_bytes: column.text, is_encrypted: column.boolean },
      `SELECT id, thread_id, size_bytes, is_encrypted FROM archived_mails
        WHERE account_id = $1 AND id = ANY ($2::uuid[]) ORDER BY date, id`,
      [accountId, ids],
    );
    return rows.map((row) => ({
      id: row.id,
      threadId: row.thread_id,
      sizeBytes: Number(row.size_bytes),
      isEncrypted: row.is_encrypted,
    }));
  }

  /** The different sets of labels that stand on some mails. */
  async findLabelSets(accountId: string, ids: readonly string[]): Promise<LabelSet[]> {
    const rows = await this.queryRows(
      { label_ids: column.array(column.text), is_imported: column.boolean },
      // Imported mail is named by its Message-ID or by its hash.
      `SELECT DISTINCT label_ids, mailbox_message_id ~ '^(<|message-id:|sha256:)' AS is_imported
         FROM archived_mails WHERE account_id = $1 AND id = ANY ($2::uuid[])`,
      [accountId, ids],
    );
    return rows.map((row) => ({ labelIds: row.label_ids, isImported: row.is_imported }));
  }
}
