import type { Allowed, BlockReason } from '../block-reasons';
import type { OffloadMode } from '../receipts/receipt';

/** Messages of one plan, as many as one bulk change takes. */
export const MAX_PLANNED = 50_000;
/** Hours in which a plan can be confirmed. */
export const CONFIRMABLE_HOURS = 24;

/** Which messages a plan is about: exactly one of the first three. */
export interface OffloadSelection {
  readonly messageIds?: readonly string[];
  /** In the provider's own search language; empty: everything but spam and trash. */
  readonly query?: string;
  readonly ruleId?: string;
  /** Only messages that arrived so many days ago or earlier. */
  readonly olderThanDays?: number;
  /** Only messages of more bytes. */
  readonly largerThan?: number;
}

/** As it stands in the table; the others follow from the job and the time. */
export const STORED_STATUSES = ['planning', 'ready', 'running', 'done'] as const;
export type StoredPlanStatus = (typeof STORED_STATUSES)[number];

export const PLAN_STATUSES = ['planning', 'ready', 'running', 'stopped', 'done', 'expired'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** `unknown`: the plan ended while the message was being moved, and nothing could be learnt of it by then. */
export const ITEM_STATES = ['ready', 'verified', 'trashing', 'trashed', 'blocked', 'unknown'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** What people decide by; of the messages that can be moved. */
export interface PlanFigures {
  /** All that were chosen, blocked ones included. */
  readonly selected: number;
  readonly offloadable: number;
  /** Of the offloadable messages. */
  readonly bytes: number;
  /** Those whose copies are encrypted: `strict` needs the passphrase for them. */
  readonly encrypted: number;
  readonly starred: number;
  readonly important: number;
  /** Their dates, ISO 8601; null when there are none. */
  readonly oldest: string | null;
  readonly newest: string | null;
}

/** How far a plan has come: the items by state. */
export interface PlanCounts {
  readonly trashed: number;
  /** Bytes of the messages in the trash. */
  readonly trashedBytes: number;
  readonly blocked: number;
  /** Not moved yet, and not blocked. */
  readonly left: number;
  /** Being moved, or it is not known whether they were; absent in counts of earlier versions. */
  readonly unknown?: number;
  readonly blockedBy: Readonly<Partial<Record<BlockReason, number>>>;
}

export interface PlanOwner {
  readonly userId: string;
  readonly accountId: string;
}

/** A plan as it is now. */
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
  /** `plan_offload-<number>`. */
  readonly planJobId: string | null;
  /** `offload_messages-<number>`. */
  readonly jobId: string | null;
  readonly expiresAt: Date | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
}

/** Calls of the provider, and how long they take by its quota. */
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

/** Messages of one batch, and bytes of their copies. */
export const BATCH_MESSAGES = 500;
export const BATCH_BYTES = 64 * 1024 * 1024;

/** @param compared messages that are fetched to be compared */
export function costsOf(messages: number, compared: number, costs: CallCosts): PlanCosts {
  const batches = Math.ceil(messages / BATCH_MESSAGES);
  // The history is read before the batch is verified, before it is moved and after.
  const units = compared * costs.get + batches * (costs.change + 3 * costs.history);
  return { units, minutes: Math.ceil(units / costs.unitsPerMinute) };
}
