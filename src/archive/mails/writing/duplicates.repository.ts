import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { NewArchivedMail, storableText } from './mail-to-archive';
import { column } from '../../../platform/database/row-shape';

/** A plain mail whose content has to be read to be compared. */
export interface UncomparedMail {
  readonly id: string;
  readonly header: string;
  readonly storage: string;
  readonly storageKey: string;
  readonly sha256: string;
}

/** Most mails of one Message-ID that are read and compared by their bytes: more than a batch of an import has. */
const MAX_COMPARED = 256;
/** Whether `m` is a mail of the account `$1` with the Message-ID `wanted.header`, as SQL that the index serves. */
export const OF_THE_WANTED_HEADER = `m.account_id = $1 AND m.message_id_header IS NOT NULL
             AND hashtextextended(m.message_id_header, 0) = hashtextextended(wanted.header, 0)
             AND m.message_id_header = wanted.header`;

/** Finds archived mails that come again: by Message-ID and content, or by their bytes when they have no Message-ID. */
@Injectable()
export class DuplicatesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Names of archived mails with the Message-ID and the content of some mails, by `contentKey`. */
  async findSameContent(
    accountId: string,
    mails: readonly NewArchivedMail[],
    transaction?: Transaction,
  ): Promise<Map<string, string>> {
    const identified = mails.filter((entry) => headerOf(entry) !== null);
    if (identified.length === 0) return new Map();
    const rows = await this.queryRows(
      { header: column.text, content_mac: column.text, name: column.text },
      `SELECT wanted.header, wanted.content_mac, found.name
         FROM unnest($2::text[], $3::text[]) AS wanted (header, content_mac)
        CROSS JOIN LATERAL (
          SELECT m.mailbox_message_id AS name FROM archived_mails m
           WHERE ${OF_THE_WANTED_HEADER}
             AND hashtextextended(m.content_mac, 0) = hashtextextended(wanted.content_mac, 0)
             AND m.content_mac = wanted.content_mac
           LIMIT 1
        ) AS found`,
      [accountId, identified.map(headerOf), identified.map(({ contentMac }) => contentMac)],
      transaction,
    );
    return new Map(rows.map((row) => [keyOf(row.header, row.content_mac), row.name]));
  }

  /**
   * Names of archived mails without a Message-ID that have the bytes of some mails, by SHA-256. These may have one now:
   * the parser finds more than it did when they were archived.
   */
  async findSameBytes(
    accountId: string,
    mails: readonly NewArchivedMail[],
    transaction?: Transaction,
  ): Promise<Map<string, string>> {
    const hashes = new Set(mails.map(({ mail }) => mail.parsed.sha256));
    if (hashes.size === 0) return new Map();
    const rows = await this.queryRows(
      { sha256: column.text, name: column.text },
      `SELECT found.sha256, found.name FROM unnest($2::bpchar[]) AS hash CROSS JOIN LATERAL (
         SELECT sha256, mailbox_message_id AS name FROM archived_mails
          WHERE account_id = $1 AND message_id_header IS NULL AND sha256 = hash LIMIT 1) found`,
      [accountId, [...hashes]],
      transaction,
    );
    return new Map(rows.map(({ sha256, name }) => [sha256, name]));
  }

  /** Readable mails with the Message-ID of some of the given mails, whose content is not on record. */
  async findUncompared(
    accountId: string,
    mails: readonly NewArchivedMail[],
    maxBytes: number,
  ): Promise<UncomparedMail[]> {
    const headers = new Set(mails.map(headerOf).filter((header) => header !== null));
    if (headers.size === 0) return [];
    const rows = await this.queryRows(
      {
        id: column.text,
        header: column.text,
        storage: column.text,
        storage_key: column.text,
        sha256: column.text,
      },
      `SELECT found.id, wanted.header, found.storage, found.storage_key, found.sha256
         FROM unnest($2::text[]) AS wanted (header)
        CROSS JOIN LATERAL (
          SELECT m.id, m.storage, m.storage_key, m.sha256 FROM archived_mails m
           WHERE ${OF_THE_WANTED_HEADER} AND hashtextextended(m.content_mac, 0) IS NULL
             AND NOT m.is_encrypted AND (m.size_bytes <= $3 OR m.sha256 = ANY ($4::bpchar[]))
           LIMIT ${MAX_COMPARED}
        ) AS found`,
      [accountId, [...headers], maxBytes, mails.map(({ mail }) => mail.parsed.sha256)],
    );
    return rows.map((row) => ({
      id: row.id,
      header: row.header,
      storage: row.storage,
      storageKey: row.storage_key,
      sha256: row.sha256,
    }));
  }

  /** Remembers the content of a mail that still has the file it was read from. */
  async rememberContent(accountId: string, mail: UncomparedMail, contentMac: string): Promise<void> {
    await this.execute(
      `UPDATE archived_mails SET content_mac = $4
        WHERE id = $2 AND account_id = $1 AND storage_key = $3 AND NOT is_encrypted`,
      [accountId, mail.id, mail.storageKey, contentMac],
    );
  }

  /** The given Message-IDs that mails of the account have. */
  async findHeadersInUse(
    accountId: string,
    headers: readonly string[],
    transaction?: Transaction,
  ): Promise<Set<string>> {
    if (headers.length === 0) return new Set();
    const rows = await this.queryRows(
      { header: column.text },
      `SELECT wanted.header FROM unnest($2::text[]) AS wanted (header)
        CROSS JOIN LATERAL (SELECT 1 FROM archived_mails m WHERE ${OF_THE_WANTED_HEADER} LIMIT 1) AS found`,
      [accountId, headers],
      transaction,
    );
    return new Set(rows.map(({ header }) => header));
  }

  /** The given names that mails of the account have. */
  async findNamesInUse(
    accountId: string,
    names: readonly string[],
    transaction?: Transaction,
  ): Promise<Set<string>> {
    if (names.length === 0) return new Set();
    const rows = await this.queryRows(
      { name: column.text },
      `SELECT found.name FROM unnest($2::text[]) AS wanted (name) CROSS JOIN LATERAL (
         SELECT mailbox_message_id AS name FROM archived_mails
          WHERE account_id = $1 AND mailbox_message_id = wanted.name LIMIT 1) found`,
      [accountId, names],
      transaction,
    );
    return new Set(rows.map(({ name }) => name));
  }
}

/** The Message-ID as it is stored. */
export const headerOf = ({ mail: { parsed } }: Pick<NewArchivedMail, 'mail'>): string | null =>
  parsed.messageId === null ? null : storableText(parsed.messageId);

/** Two mails of an account are the same when they share this. */
export const contentKey = (entry: NewArchivedMail): string =>
  keyOf(headerOf(entry), headerOf(entry) === null ? entry.mail.parsed.sha256 : entry.contentMac);

const keyOf = (header: string | null, content: string): string => `${content} ${header ?? ''}`;
