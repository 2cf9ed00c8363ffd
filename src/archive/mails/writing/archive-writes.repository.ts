import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { attachmentColumns, attachmentRowsOf, INSERT_ATTACHMENTS } from './attachment-rows';
import {
  ArchiveOwner,
  ExistingMail,
  joinValues,
  NewArchivedMail,
  nullableText,
  storableText,
  VALUE_SEPARATOR,
} from './mail-to-archive';
import { column, RowShape } from '../../../platform/database/row-shape';
import { notHeld } from '../holds/archive-holds';
import { READER_VERSION } from '../rereading/reader-version';
import type { MailEnvelope } from '../mail-envelope';
import { PassagesRepository } from './passages.repository';
import { mailTextState } from './mail-text-state';
import { storedWords } from './stored-words';
import { storableJson } from '../../../platform/database/column-values';

interface ExistingRow {
  id: string;
  mailbox_message_id: string;
  thread_id: string;
  received_at: Date;
  size_bytes: string;
  sha256: string;
  storage: string;
  storage_key: string;
  is_encrypted: boolean;
}

const EXISTING_ROW: RowShape<ExistingRow> = {
  id: column.text,
  mailbox_message_id: column.text,
  thread_id: column.text,
  received_at: column.date,
  size_bytes: column.text,
  sha256: column.text,
  storage: column.text,
  storage_key: column.text,
  is_encrypted: column.boolean,
};

/** State of an archived message. */
export interface ArchivedState {
  readonly messageId: string;
  readonly isEncrypted: boolean;
  /** Written at or after the instant asked for. */
  readonly isRecent: boolean;
  readonly sizeBytes: number;
}

/** A locked mail that another is about to replace. */
export interface ReplaceableMail {
  readonly sizeBytes: number;
  readonly envelope: MailEnvelope | null;
}

/**
 * Mails of an account by message id, each looked up by its key: with statistics from before the archive was filled,
 * `= ANY` reads all of the account's mails for every batch.
 */
const ARCHIVED_AMONG = `(SELECT DISTINCT message_id FROM unnest($2::text[]) AS message_id) asked
        CROSS JOIN LATERAL (
          SELECT * FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = asked.message_id LIMIT 1
        ) m`;
/** Ids as an array whose length the planner cannot see, for the same reason. */
const IDS = 'ANY (ARRAY(SELECT unnest($2::uuid[])))';

/** Rows of archived mails, written many at a time. */
@Injectable()
export class ArchiveWritesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(
    dataSource: DataSource,
    private readonly passages: PassagesRepository,
  ) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The database's clock, as text so that no digit is lost: `archived_at` comes from the same clock. */
  async readClock(): Promise<string> {
    const [row] = await this.queryRows({ now: column.text }, 'SELECT clock_timestamp()::text AS now');
    return (row as { now: string }).now;
  }

  /** @param since an instant of `now()` */
  async findArchived(
    accountId: string,
    messageIds: readonly string[],
    since: string,
  ): Promise<ArchivedState[]> {
    const rows = await this.queryRows(
      {
        mailbox_message_id: column.text,
        is_encrypted: column.boolean,
        is_recent: column.boolean,
        size_bytes: column.text,
      },
      `SELECT m.mailbox_message_id, m.is_encrypted, m.archived_at >= $3::timestamptz AS is_recent, m.size_bytes
         FROM ${ARCHIVED_AMONG}`,
      [accountId, messageIds, since],
    );
    return rows.map((row) => ({
      messageId: row.mailbox_message_id,
      isEncrypted: row.is_encrypted,
      isRecent: row.is_recent,
      sizeBytes: Number(row.size_bytes),
    }));
  }

  async findByMessageIds(accountId: string, messageIds: readonly string[]): Promise<ExistingMail[]> {
    const rows = await this.queryRows(
      EXISTING_ROW,
      `SELECT m.id, m.mailbox_message_id, m.thread_id, coalesce(m.received_at, m.date) AS received_at, m.size_bytes,
              m.sha256, m.storage, m.storage_key, m.is_encrypted
         FROM ${ARCHIVED_AMONG}`,
      [accountId, messageIds],
    );
    return rows.map((row) => ({
      id: row.id,
      messageId: row.mailbox_message_id,
      threadId: row.thread_id,
      receivedAt: row.received_at,
      sizeBytes: Number(row.size_bytes),
      sha256: row.sha256,
      storage: row.storage,
      storageKey: row.storage_key,
      isEncrypted: row.is_encrypted,
    }));
  }

  /**
   * Locks mails that are to be replaced, except those that have been deleted or encrypted, or are held.
   * @returns what they leave to their replacements, by id
   */
  async lockReplaceable(
    accountId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<Map<string, ReplaceableMail>> {
    const rows = await this.queryRows(
      { id: column.text, size_bytes: column.text, envelope: column.nullable(column.json<MailEnvelope>()) },
      `SELECT id, size_bytes, envelope FROM archived_mails
        WHERE account_id = $1 AND id = ${IDS} AND NOT is_encrypted AND ${notHeld('archived_mails')}
        ORDER BY id FOR UPDATE`,
      [accountId, ids],
      transaction,
    );
    return new Map(
      rows.map((row) => [row.id, { sizeBytes: Number(row.size_bytes), envelope: row.envelope }]),
    );
  }

  /** @param ids of `lockReplaceable` */
  async deleteForReplacement(
    accountId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.executeAndCount(
      `DELETE FROM archived_mails WHERE account_id = $1 AND id = ${IDS}`,
      [accountId, ids],
      transaction,
    );
  }

  /**
   * Stores the provider's present labels and preview of mails whose bytes have not changed.
   * @returns ids of the mails that still exist and are not encrypted
   */
  async refresh(
    accountId: string,
    mails: readonly NewArchivedMail[],
    transaction: Transaction,
  ): Promise<Set<string>> {
    const rows = await this.queryRows(
      { id: column.text },
      `UPDATE archived_mails m
          SET label_ids = string_to_array(t.labels, '${VALUE_SEPARATOR}'), snippet = t.snippet, content_mac = t.content_mac,
              keywords = string_to_array(t.keywords, '${VALUE_SEPARATOR}'), archived_at = now()
         FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
           AS t (id, labels, snippet, content_mac, keywords)
        WHERE m.account_id = $1 AND m.id = t.id AND NOT m.is_encrypted
       RETURNING m.id`,
      [
        accountId,
        mails.map(({ id }) => id),
        mails.map(labelsOf),
        mails.map(snippetOf),
        mails.map(({ contentMac }) => contentMac),
        mails.map(keywordsOf),
      ],
      transaction,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Inserts mails with their attachments and words in three statements. A message id the account has already is left
   * as it is. @returns the ids inserted
   */
  async insert(
    owner: ArchiveOwner,
    mails: readonly NewArchivedMail[],
    transaction: Transaction,
  ): Promise<Set<string>> {
    const valuesOf = <T>(pick: (entry: NewArchivedMail) => T): T[] => mails.map(pick);
    const rows = await this.queryRows(
      { id: column.text },
      `INSERT INTO archived_mails (
         user_id, account_id, id, mailbox_message_id, thread_id, message_id_header, subject, sender, recipient, date,
         size_bytes, has_attachments, label_ids, snippet, in_reply_to, references_header, storage, storage_key, sha256,
         content_mac, defects, keywords, rebuilt_from,
         received_at, date_source, envelope, reader_version, text_state, reader_problem)
       SELECT $1, $2, t.id, t.message_id, t.thread_id, t.message_id_header, t.subject, t.sender, t.recipient, t.date,
         t.size, t.has_attachments, string_to_array(t.labels, '${VALUE_SEPARATOR}'), t.snippet, t.in_reply_to,
         t.refs, t.storage, t.storage_key, t.sha256, t.content_mac, string_to_array(t.defects, '${VALUE_SEPARATOR}'),
         string_to_array(t.keywords, '${VALUE_SEPARATOR}'), t.rebuilt_from::jsonb, t.received_at, t.date_source,
         t.envelope::jsonb, ${READER_VERSION}, t.text_state, CASE WHEN t.text_state = 'failed' THEN 'unparsed' END
       FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
         $10::timestamptz[], $11::bigint[], $12::boolean[], $13::text[], $14::text[], $15::text[], $16::text[],
         $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[],
         $23::text[], $24::timestamptz[], $25::text[], $26::text[], $27::text[])
         AS t (id, message_id, thread_id, message_id_header, subject, sender, recipient, date, size, has_attachments,
           labels, snippet, in_reply_to, refs, storage, storage_key, sha256, content_mac, defects, keywords,
           rebuilt_from, received_at, date_source, envelope, text_state)
       ON CONFLICT DO NOTHING
       RETURNING id`,
      [
        owner.userId,
        owner.accountId,
        valuesOf(({ id }) => id),
        valuesOf(({ name }) => storableText(name)),
        valuesOf(({ mail }) => storableText(mail.threadId)),
        valuesOf(({ mail }) => nullableText(mail.parsed.messageId)),
        valuesOf(({ mail }) => storableText(mail.parsed.subject)),
        valuesOf(({ mail }) => storableText(mail.parsed.sender)),
        valuesOf(({ mail }) => storableText(mail.parsed.recipient)),
        valuesOf(({ mail }) => mail.date.toISOString()),
        valuesOf(({ mail }) => mail.raw.length),
        valuesOf(({ mail }) => mail.parsed.hasAttachments),
        valuesOf(labelsOf),
        valuesOf(snippetOf),
        valuesOf(({ mail }) => nullableText(mail.parsed.inReplyTo)),
        valuesOf(({ mail }) => nullableText(mail.parsed.references)),
        valuesOf(({ storage }) => storage),
        valuesOf(({ storageKey }) => storageKey),
        valuesOf(({ mail }) => mail.parsed.sha256),
        valuesOf(({ contentMac }) => contentMac),
        valuesOf(({ mail }) => joinValues(mail.parsed.defects)),
        valuesOf(keywordsOf),
        valuesOf(({ mail }) => (mail.rebuiltFrom ? JSON.stringify(mail.rebuiltFrom) : null)),
        valuesOf(({ mail }) => mail.receivedAt.toISOString()),
        valuesOf(({ mail }) => mail.dateSource),
        valuesOf(({ mail }) => (mail.envelope ? storableJson(mail.envelope) : null)),
        valuesOf(({ mail }) => mailTextState(mail.parsed)),
      ],
      transaction,
    );
    const inserted = new Set(rows.map(({ id }) => id));
    const written = mails.filter(({ id }) => inserted.has(id));
    await this.insertWords(owner, written, transaction);
    await this.insertAttachments(owner, written, transaction);
    return inserted;
  }

  private async insertWords(
    owner: ArchiveOwner,
    mails: readonly NewArchivedMail[],
    transaction: Transaction,
  ): Promise<void> {
    if (mails.length === 0) return;
    const words = mails.map(({ mail }) => storedWords(mail.parsed.words, mail.envelope));
    await this.execute(
      `INSERT INTO archived_mail_words (mail_id, account_id, date, has_attachments, words)
       SELECT t.id, $1, t.date, t.has_attachments, t.words::tsvector || t.envelope_words::tsvector
         FROM unnest($2::uuid[], $3::timestamptz[], $4::boolean[], $5::text[], $6::text[])
           AS t (id, date, has_attachments, words, envelope_words)`,
      [
        owner.accountId,
        mails.map(({ id }) => id),
        mails.map(({ mail }) => mail.date.toISOString()),
        mails.map(({ mail }) => mail.parsed.hasAttachments),
        words.map(({ vector }) => storableText(vector)),
        words.map(({ envelope }) => storableText(envelope)),
      ],
      transaction,
    );
    const passages = mails.flatMap(({ id }, index) =>
      words[index]!.passages.map((vector) => ({ mailId: id, vector })),
    );
    if (passages.length > 0) await this.passages.add(owner.accountId, passages, transaction);
  }

  private async insertAttachments(
    owner: ArchiveOwner,
    mails: readonly NewArchivedMail[],
    transaction: Transaction,
  ): Promise<void> {
    const parts = mails.flatMap(({ id, mail }) => attachmentRowsOf(id, mail.date, mail.parsed));
    if (parts.length === 0) return;
    await this.execute(INSERT_ATTACHMENTS, attachmentColumns(owner.accountId, parts), transaction);
  }
}

const labelsOf = ({ mail }: NewArchivedMail): string => joinValues(mail.labelIds);
const keywordsOf = ({ mail }: NewArchivedMail): string => joinValues(mail.keywords ?? []);
const snippetOf = ({ mail }: NewArchivedMail): string => storableText(mail.snippet || mail.parsed.snippet);
