import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, typedRows } from '../../../platform/database/row-shape';
import { ArchiveResults } from '../archive-results';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { findLastArchived, dropIdleBound } from '../last-archived';
import {
  dependsOnNames,
  isUnfiltered,
  mailConditions,
  MailFilter,
  mailTables,
  searchesWords,
} from '../mail-filter';
import { countSenders } from '../matching-senders';
import {
  ArchiveFacets,
  LabelFacet,
  MAX_LABELS,
  MAX_MONTHS,
  MAX_SENDERS,
  MonthFacet,
  NO_FACETS,
  SenderFacet,
} from './archive-facets';

const listOf = (rows: string): string => `(SELECT coalesce(json_agg(listed), '[]') FROM (${rows}) listed)`;

const LABELS = listOf(`
  SELECT label AS id, sum(mails)::int AS count
    FROM grouped CROSS JOIN LATERAL (SELECT DISTINCT label FROM unnest(label_ids) AS label) labels
   WHERE label_ids IS NOT NULL GROUP BY label ORDER BY count DESC, id LIMIT ${MAX_LABELS}`);
const MONTHS = listOf(`
  SELECT to_char(month, 'YYYY-MM') AS month, mails AS count FROM grouped
   WHERE month IS NOT NULL ORDER BY grouped.month DESC LIMIT ${MAX_MONTHS}`);
const SENDERS = listOf(`
  SELECT archived_sender_address(sender) AS address, (array_agg(sender ORDER BY latest DESC))[1] AS sender,
         sum(mails)::int AS count, sum(bytes)::float8 AS total_size
    FROM grouped WHERE sender IS NOT NULL GROUP BY 1
   ORDER BY count DESC, total_size DESC, address LIMIT ${MAX_SENDERS}`);
const KNOWN_SENDERS = listOf(`
  SELECT address, sender, mails AS count, bytes::float8 AS total_size FROM archived_senders
   WHERE account_id = $1 ORDER BY mails DESC, bytes DESC, address LIMIT ${MAX_SENDERS}`);
const TOTALS = `
  SELECT coalesce(sum(mails), 0)::int AS total, coalesce(sum(bytes), 0)::float8 AS total_size,
         coalesce(sum(mails) FILTER (WHERE has_attachments), 0)::int AS with_attachments,
         coalesce(sum(mails) FILTER (WHERE is_encrypted), 0)::int AS encrypted
    FROM grouped WHERE is_encrypted IS NOT NULL`;
const KNOWN_TOTALS = `
  SELECT mails AS total, bytes::float8 AS total_size, with_attachments, encrypted FROM archive_totals WHERE account_id = $1`;

/**
 * Grouping sets of the query, and the SQL for senders and totals. A row is null in the columns that it is not grouped
 * by.
 */
interface Grouping {
  readonly sets: readonly (readonly string[])[];
  readonly senders: string;
  readonly totals: string;
}

const OF_SOME: Grouping = {
  sets: [['label_ids'], ['month'], ['sender'], ['has_attachments', 'is_encrypted']],
  senders: SENDERS,
  totals: TOTALS,
};
const OF_ALL: Grouping = { sets: [['label_ids'], ['month']], senders: KNOWN_SENDERS, totals: KNOWN_TOTALS };

const FACETS_ROW = {
  total: column.number,
  total_size: column.number,
  with_attachments: column.number,
  encrypted: column.number,
  labels: column.json<LabelFacet[]>(),
  senders: column.json<SenderFacet[]>(),
  months: column.json<MonthFacet[]>(),
};

/** Counts of the mails of a list by label, sender and month, in one pass over them. */
@Injectable()
export class ArchiveFacetsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(
    dataSource: DataSource,
    private readonly results: ArchiveResults,
  ) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The facets of the mails that match a filter, computed once for each state of the archive. */
  countFacets(accountId: string, asked: MailFilter): Promise<ArchiveFacets> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const filter = asked.archivedUntil
        ? dropIdleBound(asked, await findLastArchived(manager, accountId))
        : asked;
      const compute = (): Promise<ArchiveFacets> => this.compute(manager, accountId, filter);
      if (dependsOnNames(filter)) return compute();
      const facets = await this.results.getOrCompute(manager, accountId, 'archive-facets', filter, compute);
      return facets ?? NO_FACETS;
    });
  }

  private async compute(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
  ): Promise<ArchiveFacets> {
    const matching =
      filter.senderPattern === null ? null : await countSenders(manager, accountId, filter.senderPattern);
    if (matching?.mails === 0) return NO_FACETS;
    // Reading every mail's words from the table costs a hundred times the planner's estimate.
    if (searchesWords(filter)) await manager.query(`SELECT set_config('enable_seqscan', 'off', true)`);
    const { where, parameters } = mailConditions(accountId, filter, matching?.access);
    const { sets, senders, totals } = isUnfiltered(filter) ? OF_ALL : OF_SOME;
    const [facets] = typedRows(
      FACETS_ROW,
      await manager.query(
        `WITH found AS NOT MATERIALIZED (
           SELECT m.label_ids, date_trunc('month', m.date AT TIME ZONE 'UTC') AS month, m.sender, m.has_attachments,
                  m.is_encrypted, m.size_bytes, m.date
             FROM ${mailTables(filter, true).from} WHERE ${where}
         ), grouped AS MATERIALIZED (
           SELECT ${sets.flat().join(', ')}, count(*)::int AS mails, sum(size_bytes) AS bytes, max(date) AS latest
             FROM found GROUP BY GROUPING SETS (${sets.map((columns) => `(${columns.join(', ')})`).join(', ')})
         )
         SELECT totals.*, ${LABELS} AS labels, ${MONTHS} AS months, ${senders} AS senders FROM (${totals}) totals`,
        [...parameters],
      ),
    );
    return facets ?? NO_FACETS;
  }
}
