import { BulkAction, type RunAction } from './bulk-action';

/** What is known of a message from before its change. */
export const BeforeFlag = {
  /** It was in the inbox. */
  Inbox: 1,
  /** The history did not show the change: perhaps there was nothing to do. */
  Unknown: 2,
  /** It had the label that it was moved to. */
  Labelled: 4,
  /** The change was requested, and what became of it could not be looked at: see `DoubtfulChanges`. */
  Doubtful: 8,
} as const;

/** A message that a job has changed. */
export interface ChangedMessage {
  readonly id: string;
  /** Bits of `BeforeFlag`. */
  readonly before: number;
}

/** The change that was made to a message. */
export interface MadeChange {
  readonly action: RunAction;
  /** Of `label`, `unlabel`, `move` and `move_back`. */
  readonly labelId?: string;
}

export interface JournalChunk extends MadeChange {
  /** Unique in the job; the same when its batch is repeated. */
  readonly chunk: number;
  readonly messages: readonly ChangedMessage[];
  /** Where the change history stands with these changes. */
  readonly cursor: string;
}

/** Days in which changes can be taken back. The provider empties its trash after 30. */
const KEPT_DAYS = 30;
export const TRASH_KEPT_DAYS = 29;

export function keptDays(action: RunAction): number {
  return action === BulkAction.Trash ? TRASH_KEPT_DAYS : KEPT_DAYS;
}
