import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { storableText } from '../../../platform/database/column-values';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { BLOCK_REASONS, type BlockReason } from '../block-reasons';
import type { ReceiptItem } from '../receipts/receipt';
import { BATCH_BYTES, ITEM_STATES, ItemState, PlanCounts } from './offload-plan';
import { OffloadItemEntity } from './offload-plan.entity';

/** A plan of an account. */
export interface PlanReference {
  readonly id: string;
  readonly accountId: string;
}

export interface NewItem {
  readonly position: number;
  readonly messageId: string;
  readonly mailId: string | null;
  readonly messageIdHeader: string | null;
  readonly sha256: string | null;
  readonly sizeBytes: number | null;
  readonly labels: readonly string[];
  /** Reason why the message stays; null: it can be moved. */
  readonly reason: BlockReason | null;
}

/** A message that can be moved. */
export interface MovableItem {
  readonly position: number;
  readonly messageId: string;
  readonly mailId: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Labels when the plan was made. */
  readonly labels: readonly string[];
  readonly state: ItemState;
  /** Whether the copy has been compared with the message at the provider. */
  readonly isCompared: boolean;
}

/** A message of a plan, for display. */
export interface ListedItem {
  readonly position: number;
  readonly messageId: string;
  readonly mailId: string | null;
  readonly sha256: string | null;
  readonly providerSha256: string | null;
  readonly sizeBytes: number | null;
  readonly state: ItemState;
  readonly reason: BlockReason | null;
  readonly subject: string | null;
  readonly sender: string | null;
  readonly date: Date | null;
  readonly verifiedAt: Date | null;
  readonly comparedAt: Date | null;
  readonly trashedAt: Date | null;
}

export interface Blocking {
  readonly position: number;
  readonly reason: BlockReason;
  /** SHA-256 of the message at the provider, hex; only with `provider-differs`. */
  readonly providerSha256?: string;
}

type MovableRow = Omit<MovableItem, 'sizeBytes'> & { readonly sizeBytes: string };

const MOVABLE_ROW: RowShape<MovableRow> = {
  position: column.number,
  messageId: column.text,
  mailId: column.text,
  sha256: column.text,
  sizeBytes: column.text,
  labels: column.array(column.text),
  state: column.oneOf(ITEM_STATES),
  isCompared: column.boolean,
};
const MOVABLE = `position, message_id AS "messageId", mail_id AS "mailId", sha256, size_bytes AS "sizeBytes", labels, state,
       compared_at IS NOT NULL AS "isCompared"`;

type ListedRow = Omit<ListedItem, 'sizeBytes'> & { readonly sizeBytes: string | null };

const LISTED_ROW: RowShape<ListedRow> = {
  position: column.number,
  messageId: column.text,
  mailId: column.nullable(column.text),
  sha256: column.nullable(column.text),
  providerSha256: column.nullable(column.text),
  sizeBytes: column.nullable(column.text),
  state: column.oneOf(ITEM_STATES),
  reason: column.nullable(column.oneOf(BLOCK_REASONS)),
  subject: column.nullable(column.text),
  sender: column.nullable(column.text),
  date: column.nullable(column.date),
  verifiedAt: column.nullable(column.date),
  comparedAt: column.nullable(column.date),
  trashedAt: column.nullable(column.date),
};

interface ReceiptRow {
  readonly position: number;
  readonly messageId: string;
  readonly messageIdHeader: string | null;
  readonly sha256: string;
  readonly size: string;
  readonly mailId: string;
  readonly verifiedAt: Date;
  readonly comparedAt: Date | null;
  readonly trashedAt: Date | null;
  readonly isSignedUnknown: boolean;
}

const RECEIPT_ROW: RowShape<ReceiptRow> = {
  position: column.number,
  messageId: column.text,
  messageIdHeader: column.nullable(column.text),
  sha256: column.text,
  size: column.text,
  mailId: column.text,
  verifiedAt: column.date,
  comparedAt: column.nullable(column.date),
  trashedAt: column.nullable(column.date),
  isSignedUnknown: column.boolean,
};

/** Separates labels in one text, as PostgreSQL cannot unnest arrays of arrays of different lengths. */
const SEPARATOR = '\x1f';
const OF_PLAN = 'plan_id = $1 AND account_id = $2';
const UNRESOLVED = `state IN ('trashing', 'unknown')`;
const POSITIONS = 'position = ANY (ARRAY(SELECT unnest($3::integer[])))';

/** The messages of plans. */
@Injectable()
export class OffloadItemsRepository extends BaseRepository<OffloadItemEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, OffloadItemEntity);
  }

  /** Deletes the messages of a selection whose job was lost before it was complete. */
  async deleteAll({ id, accountId }: PlanReference): Promise<void> {
    await this.execute(`DELETE FROM offload_items WHERE ${OF_PLAN}`, [id, accountId]);
  }

  async insert({ id, accountId }: PlanReference, items: readonly NewItem[]): Promise<void> {
    const valuesOf = <T>(pick: (item: NewItem) => T): T[] => items.map(pick);
    await this.execute(
      `INSERT INTO offload_items (plan_id, account_id, position, message_id, mail_id, message_id_header, sha256, size_bytes,
         labels, state, reason)
       SELECT $1, $2, t.position, t.message_id, t.mail_id, t.header, t.sha256, t.size_bytes,
         string_to_array(t.labels, '${SEPARATOR}'), CASE WHEN t.reason IS NULL THEN 'ready' ELSE 'blocked' END, t.reason
       FROM unnest($3::integer[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[])
         AS t (position, message_id, mail_id, header, sha256, size_bytes, labels, reason)
       ON CONFLICT DO NOTHING`,
      [
        id,
        accountId,
        valuesOf(({ position }) => position),
        valuesOf(({ messageId }) => messageId),
        valuesOf(({ mailId }) => mailId),
        valuesOf(({ messageIdHeader }) => messageIdHeader),
        valuesOf(({ sha256 }) => sha256),
        valuesOf(({ sizeBytes }) => sizeBytes),
        valuesOf(({ labels }) => labels.map(storableText).join(SEPARATOR)),
        valuesOf(({ reason }) => reason),
      ],
    );
  }

  /** The next messages that can be moved, up to a total size of their copies; at least one. */
  async listNextMovable({ id, accountId }: PlanReference, limit: number): Promise<MovableItem[]> {
    const rows = await this.queryRows(
      MOVABLE_ROW,
      `SELECT ${MOVABLE} FROM offload_items
       WHERE ${OF_PLAN} AND state IN ('ready', 'verified') ORDER BY position LIMIT $3`,
      [id, accountId, limit],
    );
    const items = rows.map(toMovable);
    let bytes = 0;
    const end = items.findIndex(({ sizeBytes }) => (bytes += sizeBytes) > BATCH_BYTES);
    return end < 0 ? items : items.slice(0, Math.max(1, end));
  }

  /** Messages that can be moved, in the order of the plan. @param after position */
  async listMovableAfter(
    { id, accountId }: PlanReference,
    after: number,
    limit: number,
    transaction: Transaction,
  ): Promise<MovableItem[]> {
    const rows = await this.queryRows(
      MOVABLE_ROW,
      `SELECT ${MOVABLE} FROM offload_items
       WHERE ${OF_PLAN} AND state IN ('ready', 'verified') AND position > $3 ORDER BY position LIMIT $4`,
      [id, accountId, after, limit],
      transaction,
    );
    return rows.map(toMovable);
  }

  /** Messages whose move was begun and whose outcome is not known. */
  async listUnresolved({ id, accountId }: PlanReference): Promise<MovableItem[]> {
    const rows = await this.queryRows(
      MOVABLE_ROW,
      `SELECT ${MOVABLE} FROM offload_items WHERE ${OF_PLAN} AND ${UNRESOLVED} ORDER BY position`,
      [id, accountId],
    );
    return rows.map(toMovable);
  }

  /** Ids of mails of messages whose move was begun. @param planId of any owner */
  async listMailsBeingMoved(planId: string, transaction: Transaction): Promise<string[]> {
    const rows = await this.queryRows(
      { mailId: column.text },
      `SELECT mail_id AS "mailId" FROM offload_items WHERE plan_id = $1 AND state = 'trashing'`,
      [planId],
      transaction,
    );
    return rows.map(({ mailId }) => mailId);
  }

  /** The messages among those given that can still be moved. */
  async findMovable({ id, accountId }: PlanReference, messageIds: readonly string[]): Promise<MovableItem[]> {
    const rows = await this.queryRows(
      MOVABLE_ROW,
      `SELECT ${MOVABLE} FROM offload_items
       WHERE ${OF_PLAN} AND message_id = ANY (ARRAY(SELECT unnest($3::text[]))) AND state IN ('ready', 'verified')`,
      [id, accountId, messageIds],
    );
    return rows.map(toMovable);
  }

  async block(
    { id, accountId }: PlanReference,
    blocked: readonly Blocking[],
    transaction?: Transaction,
  ): Promise<void> {
    if (blocked.length === 0) return;
    await this.execute(
      `UPDATE offload_items item SET state = 'blocked', reason = t.reason, provider_sha256 = t.provider_sha256
       FROM unnest($3::integer[], $4::text[], $5::text[]) AS t (position, reason, provider_sha256)
       WHERE item.plan_id = $1 AND item.account_id = $2 AND item.position = t.position
         AND item.state NOT IN ('trashed', 'blocked')`,
      [
        id,
        accountId,
        blocked.map(({ position }) => position),
        blocked.map(({ reason }) => reason),
        blocked.map(({ providerSha256 }) => providerSha256 ?? null),
      ],
      transaction,
    );
  }

  /** The database's clock, as text so that no digit is lost. */
  async readClock(): Promise<string> {
    const [row] = await this.queryRows({ now: column.text }, 'SELECT clock_timestamp()::text AS now');
    return row!.now;
  }

  /**
   * Records that copies were verified.
   * @param verified.at an instant of `now()` at which none of the copies had been read yet
   * @param verified.compared those of the positions that were compared with the provider this time
   */
  async markVerified(
    { id, accountId }: PlanReference,
    { at, positions, compared }: { at: string; positions: readonly number[]; compared: readonly number[] },
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE offload_items SET state = 'verified', verified_at = $5::timestamptz,
         compared_at = CASE WHEN position = ANY ($4::integer[]) THEN clock_timestamp() ELSE compared_at END
       WHERE ${OF_PLAN} AND ${POSITIONS} AND state IN ('ready', 'verified')`,
      [id, accountId, positions, compared, at],
      transaction,
    );
  }

  /** Marks the messages among those given that were verified within the last minutes as being moved. @returns positions */
  async markTrashing(
    { id, accountId }: PlanReference,
    positions: readonly number[],
    verifiedMinutes: number,
    transaction: Transaction,
  ): Promise<Set<number>> {
    const rows = await this.queryRows(
      { position: column.number },
      `UPDATE offload_items SET state = 'trashing'
       WHERE ${OF_PLAN} AND ${POSITIONS} AND state = 'verified'
         AND verified_at > clock_timestamp() - make_interval(mins => $4)
       RETURNING position`,
      [id, accountId, positions, verifiedMinutes],
      transaction,
    );
    return new Set(rows.map(({ position }) => position));
  }

  /** The messages among those given that are being moved and were verified within the last minutes. @returns positions */
  async findFreshlyVerified(
    { id, accountId }: PlanReference,
    positions: readonly number[],
    verifiedMinutes: number,
  ): Promise<Set<number>> {
    const rows = await this.queryRows(
      { position: column.number },
      `SELECT position FROM offload_items
       WHERE ${OF_PLAN} AND ${POSITIONS} AND verified_at > clock_timestamp() - make_interval(mins => $4)`,
      [id, accountId, positions, verifiedMinutes],
    );
    return new Set(rows.map(({ position }) => position));
  }

  /** Resets messages that were not moved after all to `ready`. */
  async markReady(
    { id, accountId }: PlanReference,
    positions: readonly number[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE offload_items SET state = 'ready' WHERE ${OF_PLAN} AND ${POSITIONS} AND ${UNRESOLVED}`,
      [id, accountId, positions],
      transaction,
    );
  }

  async markTrashed(
    { id, accountId }: PlanReference,
    positions: readonly number[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE offload_items SET state = 'trashed', trashed_at = clock_timestamp()
       WHERE ${OF_PLAN} AND ${POSITIONS} AND ${UNRESOLVED}`,
      [id, accountId, positions],
      transaction,
    );
  }

  /** Marks messages whose outcome is not known when the plan ends: the receipt says so, whatever is found out later. */
  async signUnknown({ id, accountId }: PlanReference, transaction: Transaction): Promise<void> {
    await this.execute(
      `UPDATE offload_items SET state = 'unknown', is_signed_unknown = true WHERE ${OF_PLAN} AND ${UNRESOLVED}`,
      [id, accountId],
      transaction,
    );
  }

  async countByState({ id, accountId }: PlanReference, transaction?: Transaction): Promise<PlanCounts> {
    const rows = await this.queryRows(
      {
        state: column.oneOf(ITEM_STATES),
        reason: column.nullable(column.oneOf(BLOCK_REASONS)),
        count: column.number,
        bytes: column.text,
      },
      `SELECT state, reason, count(*)::int AS count, coalesce(sum(size_bytes), 0)::text AS bytes
       FROM offload_items WHERE ${OF_PLAN} GROUP BY state, reason ORDER BY reason`,
      [id, accountId],
      transaction,
    );
    const counts = { trashed: 0, trashedBytes: 0, blocked: 0, left: 0, unknown: 0 };
    const blockedBy: Partial<Record<BlockReason, number>> = {};
    for (const { state, reason, count, bytes } of rows) {
      if (state === 'trashed') {
        counts.trashed += count;
        counts.trashedBytes += Number(bytes);
      } else if (state === 'blocked') {
        counts.blocked += count;
        if (reason) blockedBy[reason] = count;
      } else if (state === 'trashing' || state === 'unknown') counts.unknown += count;
      else counts.left += count;
    }
    return { ...counts, blockedBy };
  }

  /**
   * A page of messages, in the order of the plan. @param after position of the last one of the page before; -1: from the first
   * on
   */
  async listPage(
    { id, accountId }: PlanReference,
    { states, after, limit }: { states: readonly ItemState[]; after: number; limit: number },
  ): Promise<ListedItem[]> {
    const rows = await this.queryRows(
      LISTED_ROW,
      `SELECT item.position, item.message_id AS "messageId", item.mail_id AS "mailId", item.sha256,
         item.provider_sha256 AS "providerSha256", item.size_bytes AS "sizeBytes", item.state, item.reason, mail.subject,
         mail.sender, mail.date, item.verified_at AS "verifiedAt", item.compared_at AS "comparedAt",
         item.trashed_at AS "trashedAt"
       FROM offload_items item
       LEFT JOIN archived_mails mail ON mail.id = item.mail_id AND mail.account_id = item.account_id
       WHERE item.plan_id = $1 AND item.account_id = $2 AND item.state = ANY ($3) AND item.position > $4
       ORDER BY item.position LIMIT $5`,
      [id, accountId, states, after, limit],
    );
    return rows.map((row) => ({ ...row, sizeBytes: row.sizeBytes === null ? null : Number(row.sizeBytes) }));
  }

  /** Messages that the receipt is about, in the order of the plan. @param after position */
  async listForReceipt(
    { id, accountId }: PlanReference,
    after: number,
    limit: number,
    transaction?: Transaction,
  ): Promise<(ReceiptItem & { readonly position: number })[]> {
    const rows = await this.queryRows(
      RECEIPT_ROW,
      `SELECT position, message_id AS "messageId", message_id_header AS "messageIdHeader", sha256, size_bytes AS size,
         mail_id AS "mailId", verified_at AS "verifiedAt", compared_at AS "comparedAt", trashed_at AS "trashedAt",
         is_signed_unknown AS "isSignedUnknown"
       FROM offload_items WHERE ${OF_PLAN} AND (state = 'trashed' OR is_signed_unknown) AND position > $3
       ORDER BY position LIMIT $4`,
      [id, accountId, after, limit],
      transaction,
    );
    return rows.map(({ isSignedUnknown, ...row }) => ({
      ...row,
      size: Number(row.size),
      verifiedAt: row.verifiedAt.toISOString(),
      comparedAt: row.comparedAt?.toISOString() ?? null,
      ...(isSignedUnknown
        ? { trashedAt: null, outcome: 'unknown' as const }
        : { trashedAt: row.trashedAt!.toISOString() }),
    }));
  }
}

const toMovable = (row: MovableRow): MovableItem => ({ ...row, sizeBytes: Number(row.sizeBytes) });
