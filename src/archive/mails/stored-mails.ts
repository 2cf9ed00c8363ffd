import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, RowShape } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { ArchivedMailEntity } from './archived-mail.entity';
import type { LocatedMail } from './mail-content-reader';
import type { MailEnvelope } from './mail-envelope';
import type { RebuiltFrom } from './rebuilt-from';
import { IS_OUTDATED } from './rereading/reader-version';
import { DATE_SOURCES, type DateSource } from './writing/archive-dates';

/** A place in an account's mails, in the order of their ids or in that of their dates. */
export interface MailPosition {
  /** Date as text of PostgreSQL, so that no digit is lost. */
  readonly date: string;
  readonly id: string;
}

/** A mail with the location of its file. */
export interface StoredMail extends LocatedMail {
  readonly userId: string;
  readonly messageId: string;
  readonly subject: string;
  readonly sender: string;
  readonly labelIds: readonly string[];
  readonly date: Date;
  /** Null while a mail of an earlier version has not been read again. */
  readonly receivedAt: Date | null;
  readonly dateSource: DateSource | null;
  readonly archivedAt: Date;
  readonly position: MailPosition;
  /** Null: the bytes are those that the source had. */
  readonly rebuiltFrom: RebuiltFrom | null;
  readonly envelope: MailEnvelope | null;
}

/** The ids of a mail, and whether a passphrase is needed to read it. */
export type MailName = Pick<StoredMail, 'id' | 'messageId' | 'isEncrypted'>;

/** A page of an account's mails. */
export interface MailRange {
  /** null: from the first mail on. */
  readonly after: Pick<MailPosition, 'id'> | null;
  readonly limit: number;
  /** Only mails whose age counts from before this instant (`AGEING_FROM`). */
  readonly before?: Date;
  /** Only mails archived at or after this instant, in ISO 8601 or as PostgreSQL writes it. */
  readonly archivedSince?: string | null;
  /** Only mails that are not encrypted. */
  readonly isPlain?: boolean;
}

interface StoredMailRow {
  id: string;
  account_id: string;
  user_id: string;
  mailbox_message_id: string;
  subject: string;
  sender: string;
  label_ids: string[];
  date: Date;
  date_text: string;
  received_at: Date | null;
  date_source: DateSource | null;
  archived_at: Date;
  storage: string;
  storage_key: string;
  sha256: string;
  size_bytes: string;
  is_encrypted: boolean;
  rebuilt_from: RebuiltFrom | null;
  envelope: MailEnvelope | null;
}

const STORED_MAIL_ROW: RowShape<StoredMailRow> = {
  id: column.text,
  account_id: column.text,
  user_id: column.text,
  mailbox_message_id: column.text,
  subject: column.text,
  sender: column.text,
  label_ids: column.array(column.text),
  date: column.date,
  date_text: column.text,
  received_at: column.nullable(column.date),
  date_source: column.nullable(column.oneOf(DATE_SOURCES)),
  archived_at: column.date,
  storage: column.text,
  storage_key: column.text,
  sha256: column.text,
  size_bytes: column.text,
  is_encrypted: column.boolean,
  rebuilt_from: column.nullable(column.json<RebuiltFrom>()),
  envelope: column.nullable(column.json<MailEnvelope>()),
};

const MAIL_NAME_ROW: RowShape<Pick<StoredMailRow, 'id' | 'mailbox_message_id' | 'is_encrypted'>> = {
  id: column.text,
  mailbox_message_id: column.text,
  is_encrypted: column.boolean,
};

const COLUMNS = `id, account_id, user_id, mailbox_message_id, subject, sender, label_ids, date, date::text AS date_text,
  received_at, date_source, archived_at, storage, storage_key, sha256, size_bytes, is_encrypted, rebuilt_from,
  envelope`;
/**
 * The instant from which retention counts the age of a mail, as SQL: the later of its date and its arrival. As long as the
 * arrival of a mail of an earlier version is not known, the time of its archiving stands for it, which is later. See ADR 107.
 */
export const AGEING_FROM = 'greatest(date, coalesce(received_at, archived_at))';

/** The position before all mails. */
export const START: MailPosition = { date: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Archived mails and where their files are, for features that work through archives. */
@Injectable()
export class StoredMails extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The database's clock, which sets `archivedAt`, as text so that no digit is lost. */
  async readClock(): Promise<string> {
    const [row] = await this.queryRows({ now: column.text }, 'SELECT clock_timestamp()::text AS now');
    return row!.now;
  }

  /**
   * Mails of an account after a position, in the order of their ids: the one walk over an archive. Ids never change, so that a
   * walk misses no mail whose date changes meanwhile.
   */
  async findNext(
    accountId: string,
    { after, limit, before, archivedSince, isPlain }: MailRange,
  ): Promise<StoredMail[]> {
    const parameters: unknown[] = [accountId, (after ?? START).id, limit];
    const filters: string[] = [];
    const add = (value: unknown, condition: string): void => {
      parameters.push(value);
      filters.push(`AND ${condition} $${parameters.length}::timestamptz`);
    };
    if (before) {
      add(before.toISOString(), `${AGEING_FROM} <`);
      // Follows from the other condition; there is an index of dates.
      add(before.toISOString(), 'date <');
    }
    if (archivedSince) add(archivedSince, 'archived_at >=');
    if (isPlain) filters.push('AND NOT is_encrypted');
    const rows = await this.queryRows(
      STORED_MAIL_ROW,
      `SELECT ${COLUMNS} FROM archived_mails
        WHERE account_id = $1 AND id > $2::uuid ${filters.join(' ')} ORDER BY id LIMIT $3`,
      parameters,
    );
    return rows.map(toStoredMail);
  }

  /** Mails of an account after a position, in the order of their dates; those whose date changes meanwhile may be missed. */
  async findNextByDate(accountId: string, after: MailPosition | null, limit: number): Promise<StoredMail[]> {
    const { date, id } = after ?? START;
    const rows = await this.queryRows(
      STORED_MAIL_ROW,
      `SELECT ${COLUMNS} FROM archived_mails
        WHERE account_id = $1 AND (date, id) > ($2::timestamptz, $3::uuid) ORDER BY date, id LIMIT $4`,
      [accountId, date, id, limit],
    );
    return rows.map(toStoredMail);
  }

  /** Whether dates of mails of an earlier version may still change, because they have not been read again. */
  async hasOutdated(accountId: string): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `SELECT 1 FROM archived_mails WHERE account_id = $1 AND ${IS_OUTDATED} LIMIT 1`,
      [accountId],
    );
    return rows.length > 0;
  }

  /** The number of mails after a position in the order of `findNext`. */
  async countAfter(accountId: string, { id }: Pick<MailPosition, 'id'>): Promise<number> {
    const [row] = await this.queryRows(
      { count: column.number },
      `SELECT count(*)::int AS count FROM archived_mails WHERE account_id = $1 AND id > $2::uuid`,
      [accountId, id],
    );
    return row?.count ?? 0;
  }

  /** The mail as it is now; null when it is gone. */
  async find(accountId: string, id: string): Promise<StoredMail | null> {
    const [mail] = await this.findAll(accountId, [id]);
    return mail ?? null;
  }

  /** The mails of the given ids that the account has, by date. */
  async findAll(accountId: string, ids: readonly string[]): Promise<StoredMail[]> {
    const rows = await this.queryRows(
      STORED_MAIL_ROW,
      `SELECT ${COLUMNS} FROM archived_mails WHERE account_id = $1 AND id = ANY ($2) ORDER BY date, id`,
      [accountId, ids],
    );
    return rows.map(toStoredMail);
  }

  /** Like `findAll`, without the columns that are needed to read the file: for thousands of rows those take long. */
  async findNames(accountId: string, ids: readonly string[]): Promise<MailName[]> {
    const rows = await this.queryRows(
      MAIL_NAME_ROW,
      `SELECT id, mailbox_message_id, is_encrypted FROM archived_mails
        WHERE account_id = $1 AND id = ANY ($2) ORDER BY date, id`,
      [accountId, ids],
    );
    return rows.map((row) => ({
      id: row.id,
      messageId: row.mailbox_message_id,
      isEncrypted: row.is_encrypted,
    }));
  }

  /** The mails of the given messages that the account has. */
  async findByMessageIds(
    accountId: string,
    messageIds: readonly string[],
    { archivedSince, isPlain }: Pick<MailRange, 'archivedSince' | 'isPlain'> = {},
  ): Promise<StoredMail[]> {
    const rows = await this.queryRows(
      STORED_MAIL_ROW,
      `SELECT ${COLUMNS} FROM archived_mails
        WHERE account_id = $1 AND mailbox_message_id = ANY ($2::text[])
          AND archived_at >= $3::timestamptz ${isPlain ? 'AND NOT is_encrypted' : ''}`,
      [accountId, messageIds, archivedSince ?? '-infinity'],
    );
    return rows.map(toStoredMail);
  }

  /**
   * The storage keys that mails of these ids name, whatever their store: two configurations of a user, e.g. before and
   * after a change of keys, may be one bucket.
   */
  async findKeysOfMails(mailIds: readonly string[], transaction?: Transaction): Promise<Set<string>> {
    const rows = await this.queryRows(
      { storage_key: column.text },
      'SELECT storage_key FROM archived_mails WHERE id = ANY ($1)',
      [mailIds],
      transaction,
    );
    return new Set(rows.map((row) => row.storage_key));
  }

  /** The given storage keys that any mail of the account names. Reads all of the account's rows. */
  async findKeysOfAccount(accountId: string, keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.queryRows(
      { storage_key: column.text },
      'SELECT storage_key FROM archived_mails WHERE account_id = $1 AND storage_key = ANY ($2)',
      [accountId, keys],
    );
    return new Set(rows.map((row) => row.storage_key));
  }

  /** Whether a store has files of the user. The query may read all rows of the user. */
  async hasFilesIn(userId: string, storage: string): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `SELECT 1 FROM archived_mails mail JOIN mailbox_accounts account ON account.id = mail.account_id
        WHERE account.user_id = $1 AND mail.storage = $2 LIMIT 1`,
      [userId, storage],
    );
    return rows.length > 0;
  }
}

const toStoredMail = (row: StoredMailRow): StoredMail => ({
  id: row.id,
  accountId: row.account_id,
  userId: row.user_id,
  messageId: row.mailbox_message_id,
  subject: row.subject,
  sender: row.sender,
  labelIds: row.label_ids,
  date: row.date,
  receivedAt: row.received_at,
  dateSource: row.date_source,
  archivedAt: row.archived_at,
  position: { date: row.date_text, id: row.id },
  storage: row.storage,
  storageKey: row.storage_key,
  sha256: row.sha256,
  sizeBytes: Number(row.size_bytes),
  isEncrypted: row.is_encrypted,
  rebuiltFrom: row.rebuilt_from,
  envelope: row.envelope,
});
