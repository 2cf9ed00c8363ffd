import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import type { Transaction } from '../../common/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { NewArchivedMail, storableText } from './mail-to-archive';
import { column } from '../../common/database/row-shape';

/** A plain mail whose content has to be read to be compared. */
export interface UncomparedMail {
  readonly id: string;
  readonly storage: string;
  readonly storageKey: string;
  readonly sha256: string;
}

/** A Message-ID that is in the archive, and the name its first imported mail has. */
export interface NamedHeader {
  readonly header: string;
  readonly name: string;
}

/** The array is made first: a join could be done by reading all of the account's mails. */
const OF_THESE_HEADERS = `account_id = $1 AND message_id_header IS NOT NULL
          AND hashtextextended(message_id_header, 0)
              = ANY (ARRAY(SELECT hashtextextended(header, 0) FROM unnest($2::text[]) AS header))`;
/** Of a Message-ID that many mails have, so many are compared. */
const MAX_COMPARED = 8;

/** What an account has of mails that come again: by Message-ID and content, those without one by their bytes. */
@Injectable()
export class DuplicatesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Names of archived mails with the Message-ID of some mails and the same bytes or content, by `contentKeys`. */
  async ofSameContent(
    accountId: string,
    mails: readonly NewArchivedMail[],
    transaction?: Transaction,
  ): Promise<Map<string, string>> {
    const identified = mails.filter((entry) => headerOf(entry) !== null);
    if (identified.length === 0) return new Map();
    const rows = await this.rows(
      {
        header: column.text,
        name: column.text,
        sha256: column.text,
        content_mac: column.nullable(column.text),
      },
      `SELECT message_id_header AS header, mailbox_message_id AS name, sha256, content_mac FROM archived_mails
        WHERE ${OF_THESE_HEADERS}
          AND (content_mac = ANY ($3::text[]) OR sha256 = ANY ($4::bpchar[]))`,
      [
        accountId,
        headersOf(identified),
        identified.map(({ contentMac }) => contentMac),
        identified.map(({ mail }) => mail.parsed.sha256),
      ],
      transaction,
    );
    // Others of the same hash are none of those asked for, and do no harm.
    return new Map(
      rows.flatMap(({ header, name, sha256, content_mac: mac }): [string, string][] => [
        [keyOf(header, sha256), name],
        ...(mac === null ? [] : [[keyOf(header, mac), name] as [string, string]]),
      ]),
    );
  }

  /** Names of archived mails without a Message-ID that have the bytes of some mails, by `contentKeys`. */
  async ofSameBytes(
    accountId: string,
    mails: readonly NewArchivedMail[],
    transaction?: Transaction,
  ): Promise<Map<string, string>> {
    const hashes = new Set(
      mails.filter((entry) => headerOf(entry) === null).map(({ mail }) => mail.parsed.sha256),
    );
    if (hashes.size === 0) return new Map();
    const rows = await this.rows(
      { sha256: column.text, name: column.text },
      `SELECT found.sha256, found.name FROM unnest($2::bpchar[]) AS hash CROSS JOIN LATERAL (
         SELECT sha256, mailbox_message_id AS name FROM archived_mails
          WHERE account_id = $1 AND message_id_header IS NULL AND sha256 = hash LIMIT 1) found`,
      [accountId, [...hashes]],
      transaction,
    );
    return new Map(rows.map(({ sha256, name }) => [keyOf(null, sha256), name]));
  }

  /**
   * Plain mails, of at most `maxBytes`, with the Message-ID of some mails, whose content has not been compared with
   * this key yet.
   * @param check of `ContentMacs`
   */
  async uncompared(
    accountId: string,
    mails: readonly NewArchivedMail[],
    { check, maxBytes }: { readonly check: string; readonly maxBytes: number },
  ): Promise<UncomparedMail[]> {
    const headers = headersOf(mails);
    if (headers.length === 0) return [];
    const rows = await this.rows(
      { id: column.text, storage: column.text, storage_key: column.text, sha256: column.text },
      `SELECT found.id, found.storage, found.storage_key, found.sha256
         FROM unnest($2::text[]) AS wanted (header)
        CROSS JOIN LATERAL (
          SELECT m.id, m.storage, m.storage_key, m.sha256 FROM archived_mails m
           WHERE m.account_id = $1 AND m.message_id_header IS NOT NULL
             AND hashtextextended(m.message_id_header, 0) = hashtextextended(wanted.header, 0)
             AND m.message_id_header = wanted.header AND NOT m.is_encrypted AND m.size_bytes <= $4
             AND (m.content_mac IS NULL OR NOT starts_with(m.content_mac, $3))
           LIMIT ${MAX_COMPARED}
        ) AS found`,
      [accountId, headers, `${check}.`, maxBytes],
    );
    return rows.map((row) => ({
      id: row.id,
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

  /**
   * Of Message-IDs that are in the archive the highest number that a mail of them has: `name#3` has 3, any other 1.
   */
  async lastNumbers(
    accountId: string,
    headers: readonly NamedHeader[],
    transaction?: Transaction,
  ): Promise<Map<string, number>> {
    if (headers.length === 0) return new Map();
    const rows = await this.rows(
      { header: column.text, number: column.number },
      `WITH found AS MATERIALIZED (
         SELECT message_id_header AS header, mailbox_message_id AS name FROM archived_mails WHERE ${OF_THESE_HEADERS})
       SELECT wanted.header,
              max(CASE WHEN starts_with(found.name, wanted.name || '#')
                       THEN coalesce(substring(found.name FROM '#([0-9]{1,8})$')::int, 1) ELSE 1 END) AS number
         FROM found JOIN unnest($2::text[], $3::text[]) AS wanted (header, name) USING (header)
        GROUP BY wanted.header`,
      [accountId, headers.map(({ header }) => header), headers.map(({ name }) => name)],
      transaction,
    );
    return new Map(rows.map(({ header, number }) => [header, number]));
  }

  /** Those of some names that mails of the account have. */
  async namesInUse(
    accountId: string,
    names: readonly string[],
    transaction?: Transaction,
  ): Promise<Set<string>> {
    if (names.length === 0) return new Set();
    const rows = await this.rows(
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

/** Two mails are the same when they share one of these. */
export function contentKeys(entry: NewArchivedMail): string[] {
  const header = headerOf(entry);
  const { sha256 } = entry.mail.parsed;
  return header === null ? [keyOf(null, sha256)] : [keyOf(header, sha256), keyOf(header, entry.contentMac)];
}

const keyOf = (header: string | null, content: string): string => `${content} ${header ?? ''}`;

const headersOf = (mails: readonly NewArchivedMail[]): string[] => [
  ...new Set(mails.map(headerOf).filter((header) => header !== null)),
];
