import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import type { Transaction } from '../../common/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { NewArchivedMail, storableText } from './mail-to-archive';
import { column } from '../../common/database/row-shape';

/** Mails an account has already, whatever they are called: by Message-ID, those without one by their content. */
@Injectable()
export class DuplicatesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** @returns message ids of those that are in the archive, or earlier among `mails` */
  async among(
    accountId: string,
    mails: readonly NewArchivedMail[],
    transaction?: Transaction,
  ): Promise<Set<string>> {
    const headers = new Set(mails.map(headerOf).filter((header) => header !== null));
    const hashes = new Set(mails.filter((entry) => headerOf(entry) === null).map(hashOf));
    const seen = new Set([
      ...(await this.headersAmong(accountId, headers, transaction)),
      ...(await this.anonymousAmong(accountId, hashes, transaction)),
    ]);
    const duplicates = new Set<string>();
    for (const entry of mails) {
      const what = headerOf(entry) ?? hashOf(entry);
      if (seen.has(what)) duplicates.add(entry.mail.messageId);
      seen.add(what);
    }
    return duplicates;
  }

  private async headersAmong(
    accountId: string,
    headers: ReadonlySet<string>,
    transaction?: Transaction,
  ): Promise<string[]> {
    if (headers.size === 0) return [];
    // The array is made first: a join could be done by reading all of the account's mails.
    const rows = await this.rows(
      { header: column.text },
      `SELECT message_id_header AS header FROM archived_mails
        WHERE account_id = $1 AND message_id_header IS NOT NULL
          AND hashtextextended(message_id_header, 0)
              = ANY (ARRAY(SELECT hashtextextended(header, 0) FROM unnest($2::text[]) AS header))`,
      [accountId, [...headers]],
      transaction,
    );
    // Others of the same hash are none of those asked for, and do no harm.
    return rows.map(({ header }) => header);
  }

  private async anonymousAmong(
    accountId: string,
    hashes: ReadonlySet<string>,
    transaction?: Transaction,
  ): Promise<string[]> {
    if (hashes.size === 0) return [];
    const rows = await this.rows(
      { sha256: column.text },
      `SELECT found.sha256 FROM unnest($2::bpchar[]) AS hash CROSS JOIN LATERAL (
         SELECT sha256 FROM archived_mails
          WHERE account_id = $1 AND message_id_header IS NULL AND sha256 = hash LIMIT 1) found`,
      [accountId, [...hashes]],
      transaction,
    );
    return rows.map(({ sha256 }) => sha256);
  }
}

/** As it is stored. */
const headerOf = ({ mail: { parsed } }: NewArchivedMail): string | null =>
  parsed.messageId === null ? null : storableText(parsed.messageId);
const hashOf = ({ mail }: NewArchivedMail): string => mail.parsed.sha256;
