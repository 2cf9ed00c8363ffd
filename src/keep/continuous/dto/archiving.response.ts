import { ApiProperty } from '@nestjs/swagger';
import {
  ARCHIVING_STATES,
  type ArchivingState,
  BEHIND_REASONS,
  type BehindReason,
  isUnhealthy,
} from '../health/archiving-state';
import { ARCHIVING_MODES, type ArchivingMode } from '../settings/archiving-settings.entity';
import type { ArchivingStatus } from '../archiving-settings.service';
import { MAX_EXCLUSIONS } from '../settings/exclusion';
import { NOTIFY_AFTER_HOURS, RECONCILE_DAYS, VERIFY_DAYS } from './archiving.dto';

/** Continuous archiving of a mailbox: its settings, and how it is doing. */
export class ArchivingResponse {
  /** `keep`: each message is copied. `watch`: the ledger is kept, nothing is copied. `off`: neither. */
  @ApiProperty({ enum: ARCHIVING_MODES, enumName: 'ArchivingMode', example: 'keep' })
  mode: ArchivingMode;

  /** Whether it rests because its owner wants it to.
   * @example false */
  paused: boolean;

  /** Messages that are not copied; the first that matches counts. */
  @ApiProperty({ type: [String], maxItems: MAX_EXCLUSIONS, example: ['spam', 'trash', 'drafts'] })
  exclusions: string[];

  /** A copy counts as verified for so many days after its file was last read. */
  @ApiProperty({ type: 'integer', ...VERIFY_DAYS, example: 8 })
  verifyDays: number;

  /** The ledger is compared with the whole mailbox every so many days. */
  @ApiProperty({ type: 'integer', ...RECONCILE_DAYS, example: 7 })
  reconcileDays: number;

  /** Hours in a bad way after which its owner is notified; null: never. */
  @ApiProperty({ type: 'integer', nullable: true, ...NOTIFY_AFTER_HOURS, example: 24 })
  notifyAfterHours: number | null;

  /** Whether labels of archived mail follow those of its message.
   * @example true */
  followLabels: boolean;

  /** The first that holds of these, in this order. */
  @ApiProperty({ enum: ARCHIVING_STATES, enumName: 'ArchivingState', example: 'healthy' })
  state: ArchivingState;

  /** Why it is `behind`; null in every other state. */
  @ApiProperty({ type: String, enum: [...BEHIND_REASONS, null], nullable: true, example: null })
  reason: BehindReason | null;

  /** Since when it is in a bad way: `needs_reconnection`, `quota_full` or `behind`; null otherwise. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  since: string | null;

  /** When the mailbox was last asked for changes. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-04T09:30:00.000Z' })
  lookedAt: string | null;

  /** When a message was last copied. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-04T09:29:12.000Z' })
  copiedAt: string | null;

  /** Messages that wait to be copied. */
  @ApiProperty({ type: 'integer', example: 0 })
  pending: number;

  /** When the first of them began to wait. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  oldestPendingAt: string | null;

  /** Whether the ledger is the mailbox, message by message, as of the last sync.
   * @example true */
  exact: boolean;

  /** Folders on an IMAP server whose messages are not known, or not all: the first 100, by path.
   * @example [] */
  incompleteFolders: string[];

  /** When the ledger was last compared with the whole mailbox. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-05-01T02:11:00.000Z' })
  reconciledAt: string | null;

  /** The job under way that compares or copies; null when there is none. */
  @ApiProperty({ type: String, nullable: true, example: 'keep_copies-42' })
  jobId: string | null;
}

/** The comparison of the ledger with the mailbox. */
export class ReconcileResponse {
  /** The job that does it.
   * @example reconcile_mailbox-42 */
  jobId: string;

  /** For people to read.
   * @example "The ledger is being compared with the mailbox." */
  message: string;
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const toArchivingResponse = ({
  settings,
  judged,
  pending,
  incompleteFolders,
  jobId,
}: ArchivingStatus): ArchivingResponse => ({
  mode: settings.mode,
  paused: settings.paused,
  exclusions: [...settings.exclusions],
  verifyDays: settings.verifyDays,
  reconcileDays: settings.reconcileDays,
  notifyAfterHours: settings.notifyAfterHours,
  followLabels: settings.followLabels,
  state: judged.state,
  reason: judged.reason,
  // Until health is judged again, the end of the last episode is not noted.
  since: isUnhealthy(judged) ? iso(settings.unhealthySince) : null,
  lookedAt: iso(settings.lookedAt),
  copiedAt: iso(settings.copiedAt),
  pending,
  oldestPendingAt: iso(settings.oldestPendingAt),
  exact: settings.exact,
  incompleteFolders: [...incompleteFolders],
  reconciledAt: iso(settings.reconciledAt),
  jobId,
});
