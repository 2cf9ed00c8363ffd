import { BulkAction, type RunAction } from './bulk-action';

/** Bits that describe a message before its change. */
export const BeforeFlag = {
  /** The message was in the inbox. */
  Inbox: 1,
  /** The history did not show the change, so there may have been nothing to do. */
  Unknown: 2,
  /** The message already had the label that it was moved to. */
  Labelled: 4,
  /** The change was requested, but its outcome is not known; see `DoubtfulChanges`. */
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
  /** The label of `label`, `unlabel`, `move` and `move_back`. */
  readonly labelId?: string;
}

export interface JournalChunk extends MadeChange {
  /** Number that is unique in the job, and the same when its batch is repeated. */
  readonly chunk: number;
  readonly messages: readonly ChangedMessage[];
  /** Cursor of the change history after these changes. */
  readonly cursor: string;
}

/** Days in which changes can be undone. The provider empties its trash after 30. */
const KEPT_DAYS = 30;
export const TRASH_KEPT_DAYS = 29;

export function keptDays(action: RunAction): number {
  return action === BulkAction.Trash ? TRASH_KEPT_DAYS : KEPT_DAYS;
}
