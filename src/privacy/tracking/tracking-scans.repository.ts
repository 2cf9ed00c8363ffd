import { Injectable } from '@nestjs/common';
import { DataSource, In } from 'typeorm';
import { pageFrom } from '../../platform/database/page-from';
import { BaseRepository } from '../../platform/database/base.repository';
import { newId } from '../../platform/crypto/ids';
import { storableJson } from '../../platform/database/column-values';
import type { Transaction } from '../../platform/database/transactions';
import { domainOnly, type KeptTracker, type Tracker } from './detection/tracker';
import { TrackingScanEntity } from './tracking-scan.entity';
import { RowShape, column, typedRows } from '../../platform/database/row-shape';
import type { PageRange } from '../../platform/database/page-from';

/** Fields of a listed message from the index. */
export interface ScannedMessage {
  readonly id: string;
  readonly subject: string;
  readonly from: string;
  readonly internalDate: Date;
}

/** A message and the trackers found in it. */
export interface ScanResult {
  readonly message: ScannedMessage;
  readonly trackers: readonly Tracker[];
}

export interface TrackingTotals {
  /** Messages with trackers. */
  readonly messages: number;
  readonly trackers: number;
}

const TRACKING_TOTALS_ROW: RowShape<TrackingTotals> = { messages: column.number, trackers: column.number };

export interface DomainCount {
  readonly domain: string;
  readonly count: number;
}

const DOMAIN_COUNT_ROW: RowShape<DomainCount> = { domain: column.text, count: column.number };

export interface KnownScan {
  readonly messageId: string;
  readonly rulesVersion: number;
  /** Whether the row was written at or after the given instant. */
  readonly isRecent: boolean;
}

const KNOWN_SCAN_ROW: RowShape<KnownScan> = {
  messageId: column.text,
  rulesVersion: column.number,
  isRecent: column.boolean,
};

interface NewRow {
  readonly id: string;
  readonly messageId: string;
  readonly subject: string;
  readonly sender: string;
  readonly date: string;
  readonly trackers: readonly KeptTracker[];
}

/** Rows of messages $2 of account $1, locked in one order, so that statements that write to the same rows do not deadlock. */
const LOCKED = `ARRAY(
  SELECT id FROM tracking_scans WHERE account_id = $1 AND mailbox_message_id = ANY ($2::text[])
   ORDER BY mailbox_message_id FOR UPDATE)`;

/** Scanned messages, always those of one account. */
@Injectable()
export class TrackingScansRepository extends BaseRepository<TrackingScanEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, TrackingScanEntity);
  }

  /** The database's clock, as text of PostgreSQL. */
  async readClock(): Promise<string> {
    const [row] = await this.queryRows({ now: column.text }, 'SELECT now()::text AS now');
    return (row as { now: string }).now;
  }

  /** Messages with trackers, newest first, and their number, both of one snapshot. */
  findPage(accountId: string, range: PageRange): Promise<{ scans: TrackingScanEntity[]; total: number }> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const [counted] = typedRows(
        { total: column.number },
        await manager.query(
          `SELECT count(*)::int AS total FROM tracking_scans WHERE account_id = $1 AND tracker_count > 0`,
          [accountId],
        ),
      );
      const total = counted?.total ?? 0;
      const { limit, offset, isReversed } = pageFrom(range, total);
      if (limit === 0) return { scans: [], total };
      const direction = isReversed ? 'ASC' : 'DESC';
      // Skipped rows are read from the index alone.
      const shown = typedRows(
        { id: column.text },
        await manager.query(
          `SELECT id FROM tracking_scans WHERE account_id = $1 AND tracker_count > 0
          ORDER BY date ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset}`,
          [accountId],
        ),
      );
      const scans = await manager
        .getRepository(TrackingScanEntity)
        .findBy({ accountId, id: In(shown.map(({ id }) => id)) });
      const byId = new Map(scans.map((scan) => [scan.id, scan]));
      const listed = shown.flatMap(({ id }) => byId.get(id) ?? []);
      return { scans: isReversed ? listed.reverse() : listed, total };
    });
  }

  /** @param since counts only rows written at or after this instant */
  async countTotals(accountId: string, since: string | null = null): Promise<TrackingTotals> {
    const [row] = await this.queryRows(
      TRACKING_TOTALS_ROW,
      `SELECT count(*)::int AS messages, coalesce(sum(tracker_count), 0)::int AS trackers FROM tracking_scans
        WHERE account_id = $1 AND tracker_count > 0 AND ($2::timestamptz IS NULL OR scanned_at >= $2)`,
      [accountId, since],
    );
    return row as TrackingTotals;
  }

  /** Domains with most trackers, those of equal numbers by name. */
  findTopDomains(accountId: string, limit: number): Promise<DomainCount[]> {
    return this.queryRows(
      DOMAIN_COUNT_ROW,
      `SELECT tracker->>'domain' AS domain, count(*)::int AS count
         FROM tracking_scans CROSS JOIN LATERAL jsonb_array_elements(trackers) AS tracker
        WHERE account_id = $1 AND tracker_count > 0
        GROUP BY 1 ORDER BY count DESC, domain LIMIT $2`,
      [accountId, limit],
    );
  }

  /** The given messages that have been scanned. @param since see `KnownScan.isRecent` */
  findKnown(accountId: string, messageIds: readonly string[], since: string): Promise<KnownScan[]> {
    return this.queryRows(
      KNOWN_SCAN_ROW,
      `SELECT mailbox_message_id AS "messageId", rules_version AS "rulesVersion",
              scanned_at >= $3::timestamptz AS "isRecent"
         FROM tracking_scans WHERE account_id = $1 AND mailbox_message_id = ANY ($2::text[])`,
      [accountId, messageIds, since],
    );
  }

  /**
   * Stores findings, and replaces those of an earlier scan of the message. For messages whose archived copies are encrypted
   * only the domains are stored.
   */
  async save(
    accountId: string,
    results: readonly ScanResult[],
    { rulesVersion, encrypted }: { rulesVersion: number; encrypted: ReadonlySet<string> },
    transaction: Transaction,
  ): Promise<void> {
    const rows = results.map(({ message, trackers }): NewRow => ({
      id: newId(),
      messageId: message.id,
      subject: message.subject,
      sender: message.from,
      date: message.internalDate.toISOString(),
      trackers: encrypted.has(message.id) ? trackers.map(domainOnly) : trackers,
    }));
    await this.execute(
      `INSERT INTO tracking_scans
         (id, account_id, mailbox_message_id, subject, sender, date, trackers, tracker_count, rules_version)
       SELECT id, $1, "messageId", subject, sender, date, trackers, jsonb_array_length(trackers), $3
         FROM jsonb_to_recordset($2::jsonb)
           AS row (id uuid, "messageId" text, subject text, sender text, date timestamptz, trackers jsonb)
       ON CONFLICT (account_id, mailbox_message_id) DO UPDATE
         SET subject = excluded.subject, sender = excluded.sender, date = excluded.date,
             trackers = excluded.trackers, tracker_count = excluded.tracker_count,
             rules_version = excluded.rules_version, scanned_at = now()`,
      [accountId, storableJson(rows), rulesVersion],
      transaction,
    );
  }

  /** Leaves only the domains of trackers in messages whose archived copies are encrypted. */
  async withholdAddresses(
    accountId: string,
    messageIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE tracking_scans SET trackers = (
         SELECT jsonb_agg(tracker - '{url,params}'::text[] ORDER BY position)
           FROM jsonb_array_elements(trackers) WITH ORDINALITY AS found (tracker, position)
       )
       WHERE account_id = $1 AND id = ANY (${LOCKED}) AND tracker_count > 0`,
      [accountId, messageIds],
      transaction,
    );
  }

  /** Marks messages as scanned now without reading them again, since they were scanned with the same rules. */
  async confirm(accountId: string, messageIds: readonly string[]): Promise<void> {
    await this.executeAndCount(
      `UPDATE tracking_scans SET scanned_at = now() WHERE account_id = $1 AND id = ANY (${LOCKED})`,
      [accountId, messageIds],
    );
  }

  /** A page of the ids of scanned messages, in their order. @param after last id of the page before; '' for the first page */
  async findMessageIds(accountId: string, after: string, limit: number): Promise<string[]> {
    const rows = await this.queryRows(
      { id: column.text },
      `SELECT mailbox_message_id AS id FROM tracking_scans
        WHERE account_id = $1 AND mailbox_message_id > $2 ORDER BY mailbox_message_id LIMIT $3`,
      [accountId, after, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes findings. @returns number of rows deleted */
  delete(accountId: string, messageIds: readonly string[]): Promise<number> {
    return this.executeAndCount(`DELETE FROM tracking_scans WHERE account_id = $1 AND id = ANY (${LOCKED})`, [
      accountId,
      messageIds,
    ]);
  }
}
