import type { Allowed, BlockReason } from '../block-reasons';
import type { OffloadMode } from '../receipts/receipt';

/** Days after which Gmail empties its trash. */
export const TRASH_DAYS = 30;

/** Largest number of messages of one plan: that of one bulk change. */
export const MAX_PLANNED = 50_000;
/** Hours for which a plan can be confirmed. */
export const CONFIRMABLE_HOURS = 24;

/** Selection of the messages of a plan: exactly one of the first three. */
export interface OffloadSelection {
  readonly messageIds?: readonly string[];
  /** Query in the provider's own search language; empty: everything but spam and trash. */
  readonly query?: string;
  readonly ruleId?: string;
  /** Only messages that arrived this number of days ago or earlier. */
  readonly olderThanDays?: number;
  /** Only messages that are larger than this number of bytes. */
  readonly largerThan?: number;
}

/** Statuses that are stored; the others follow from the job and the time. */
export const STORED_STATUSES = ['planning', 'ready', 'running', 'done'] as const;
export type StoredPlanStatus = (typeof STORED_STATUSES)[number];

export const PLAN_STATUSES = ['planning', 'ready', 'running', 'stopped', 'done', 'expired'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/**
 * States of a message. `unknown`: the plan ended while the message was being moved, and the outcome could not be found out by
 * then.
 */
export const ITEM_STATES = ['ready', 'verified', 'trashing', 'trashed', 'blocked', 'unknown'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** Figures on which a person decides; of the messages that can be moved, unless stated otherwise. */
export interface PlanFigures {
  /** Number of all selected messages, blocked ones included. */
  readonly selected: number;
  readonly offloadable: number;
  /** Bytes of the offloadable messages. */
  readonly bytes: number;
  /** Number of offloadable messages whose copies are encrypted: `strict` needs the passphrase for them. */
  readonly encrypted: number;
  readonly starred: number;
  readonly important: number;
  /** Earliest and latest date of the offloadable messages, ISO 8601; null when there are none. */
  readonly oldest: string | null;
  readonly newest: string | null;
}

/** Progress of a plan: its messages by state. */
export interface PlanCounts {
  readonly trashed: number;
  /** Bytes of the messages in the trash. */
  readonly trashedBytes: number;
  readonly blocked: number;
  /** Messages that are neither moved nor blocked. */
  readonly left: number;
  /** Messages that are being moved, or whose outcome is not known; absent in counts of earlier versions. */
  readonly unknown?: number;
  readonly blockedBy: Readonly<Partial<Record<BlockReason, number>>>;
}

export interface PlanOwner {
  readonly userId: string;
  readonly accountId: string;
}

/** A plan, with its current status. */
export interface OffloadPlan extends PlanOwner {
  readonly id: string;
  readonly selection: OffloadSelection;
  readonly mode: OffloadMode;
  readonly allowed: Allowed;
  readonly isScheduled: boolean;
  readonly status: PlanStatus;
  readonly figures: PlanFigures | null;
  readonly counts: PlanCounts | null;
  readonly digest: string | null;
  readonly plannedCursor: string | null;
  readonly cursor: string | null;
  readonly isHistoryLost: boolean;
  readonly batches: number;
  /** Id of the job that makes the plan, `plan_offload-<number>`. */
  readonly planJobId: string | null;
  /** Id of the job that moves the messages, `offload_messages-<number>`. */
  readonly jobId: string | null;
  readonly expiresAt: Date | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
}

/** Quota units of the provider that a plan takes, and the minutes that this takes at the pace of the quota. */
export interface PlanCosts {
  readonly units: number;
  readonly minutes: number;
}

/** The unit costs of the calls that moving messages makes. */
export interface CallCosts {
  readonly get: number;
  readonly change: number;
  readonly history: number;
  readonly unitsPerMinute: number;
}

/** Largest number of messages of one batch, and largest total size of their copies in bytes. */
export const BATCH_MESSAGES = 500;
export const BATCH_BYTES = 64 * 1024 * 1024;

/** Upper bound of the costs of moving messages. @param compared number of messages that are fetched to be compared */
export function costsOf(messages: number, compared: number, costs: CallCosts): PlanCosts {
  const batches = Math.ceil(messages / BATCH_MESSAGES);
  // The history is read before the batch is verified, before it is moved and after.
  const units = compared * costs.get + batches * (costs.change + 3 * costs.history);
  return { units, minutes: Math.ceil(units / costs.unitsPerMinute) };
}
