import { ApiProperty } from '@nestjs/swagger';
import { COVERAGE_CLASSES, type CoverageClass, coverageFigures } from '../ledger/coverage-figures';
import type { CoveredMessage, LedgerHead, LedgerOverview } from '../ledger/coverage.repository';
import {
  BLOCKING_REASONS,
  type BlockingReason,
  DELETION_NOTES,
  type DeletionNote,
  type DeletionVerdict,
} from '../coverage/deletable';
import { textOf } from '../coverage/message-text';

/** The moment that an answer is about. */
export class CoverageMomentResponse {
  /** The provider's cursor up to which changes of the mailbox are known; null: none yet. */
  @ApiProperty({ type: String, nullable: true, example: '1234567' })
  historyId: string | null;

  /** When the changes up to there were read. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-03-01T08:00:00.000Z' })
  at: string | null;
}

export class ExclusionCountResponse {
  /** The exclusion of the messages: a type, and its value after a colon. `removed`: their copies were deleted.
   * @example "spam" */
  exclusion: string;

  @ApiProperty({ type: 'integer', example: 12 })
  count: number;
}

export class ReasonCountResponse {
  /** @example "copy-missing" */
  reason: string;

  @ApiProperty({ type: 'integer', example: 2 })
  count: number;
}

export class ProviderCountResponse {
  /** The provider's own count of messages, when it was last asked. */
  @ApiProperty({ type: 'integer', nullable: true, example: 20000 })
  total: number | null;

  /** Whether it was as expected; null: not compared yet. */
  @ApiProperty({ type: Boolean, nullable: true, example: true })
  agreed: boolean | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-03-01T08:00:00.000Z' })
  at: string | null;
}

export class OnlyInArchiveResponse {
  @ApiProperty({ type: 'integer', example: 340 })
  count: number;

  @ApiProperty({ type: 'integer', example: 48213000 })
  bytes: number;
}

/** Counts of the messages of a mailbox by class: the five classes add up to `total`. */
export class CoverageResponse {
  asOf: CoverageMomentResponse;

  /** Whether `total` is the mailbox as of that moment, spam and trash included. If false, nothing is certain yet. */
  exact: boolean;

  /** Folders on an IMAP server whose messages are not known, or not all: the first 100, by path.
   * @example [] */
  incompleteFolders: string[];

  @ApiProperty({ type: 'integer', example: 20000 })
  total: number;

  /** In the archive, and the file was read and compared with its hash lately. */
  @ApiProperty({ type: 'integer', example: 19500 })
  verified: number;

  /** In the archive, and not compared lately. */
  @ApiProperty({ type: 'integer', example: 300 })
  archived: number;

  /** Not to be archived. */
  @ApiProperty({ type: 'integer', example: 150 })
  excluded: number;

  @ApiProperty({ type: 'integer', example: 2 })
  failed: number;

  /** Waiting to be archived. */
  @ApiProperty({ type: 'integer', example: 48 })
  pending: number;

  /** Bytes of all messages whose sizes are known. */
  @ApiProperty({ type: 'integer', example: 1048576000 })
  bytes: number;

  /** The most frequent first. */
  excludedBy: ExclusionCountResponse[];

  /** The most frequent first. */
  failedBy: ReasonCountResponse[];

  provider: ProviderCountResponse;

  /** Archived mail whose messages were deleted in the mailbox. */
  onlyInArchive: OnlyInArchiveResponse;
}

/** A message of the mailbox. */
export class CoveredMessageResponse {
  /** @example "18c2f1a9b3d4e5f6" */
  messageId: string;

  @ApiProperty({ enum: COVERAGE_CLASSES, enumName: 'CoverageClass', example: 'verified' })
  class: CoverageClass;

  /** The exclusion of the message. */
  @ApiProperty({ type: String, nullable: true, example: 'spam' })
  exclusion: string | null;

  /** Why it failed. */
  @ApiProperty({ type: String, nullable: true, example: 'copy-missing' })
  reason: string | null;

  /** Attempts that failed. */
  @ApiProperty({ type: 'integer', example: 0 })
  attempts: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-03-01T08:30:00.000Z' })
  nextTryAt: string | null;

  /** The archived mail. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  })
  mailId: string | null;

  /** The day (UTC) on which its file was last compared with its hash. */
  @ApiProperty({ type: String, format: 'date', nullable: true, example: '2026-02-27' })
  verifiedOn: string | null;

  /** Ids of its labels.
   * @example ["INBOX", "UNREAD"] */
  labels: string[];
}

export class CoveredMessagePageResponse {
  items: CoveredMessageResponse[];

  /** The `after` of the next page; null: this is the last. */
  @ApiProperty({ type: String, nullable: true, example: 'MTkzMmM1ZTdkNWI3YzNhOQ' })
  next: string | null;
}

/** A message, in words. */
export class ExplainedMessageResponse {
  /** @example "18c2f1a9b3d4e5f6" */
  messageId: string;

  /** null: the message is no longer in the mailbox, and its copy is in the archive. */
  @ApiProperty({ type: String, enum: [...COVERAGE_CLASSES, null], nullable: true, example: 'verified' })
  class: CoverageClass | null;

  /** The exclusion of the message. */
  @ApiProperty({ type: String, nullable: true, example: 'spam' })
  exclusion: string | null;

  /** Why it failed. */
  @ApiProperty({ type: String, nullable: true, example: 'copy-missing' })
  reason: string | null;

  /** Attempts that failed. */
  @ApiProperty({ type: 'integer', example: 0 })
  attempts: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-03-01T08:30:00.000Z' })
  nextTryAt: string | null;

  /** The archived mail. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  })
  mailId: string | null;

  /** The day (UTC) on which its file was last compared with its hash. */
  @ApiProperty({ type: String, format: 'date', nullable: true, example: '2026-02-27' })
  verifiedOn: string | null;

  /** Ids of its labels.
   * @example ["INBOX", "UNREAD"] */
  labels: string[];

  /** The same for people.
   * @example "The message waits to be archived." */
  text: string;
}

export class DeletableMessageResponse {
  /** @example "18c2f1a9b3d4e5f6" */
  messageId: string;

  /** Whether the message may be deleted from the mailbox: its copy is right, and stays. */
  deletable: boolean;

  /** Why not. */
  @ApiProperty({ enum: BLOCKING_REASONS, enumName: 'DeletionBlockingReason', isArray: true, example: [] })
  reasons: BlockingReason[];

  /** Marks of the message. They do not prevent its deletion. */
  @ApiProperty({ enum: DELETION_NOTES, enumName: 'DeletionNote', isArray: true, example: ['unread'] })
  notes: DeletionNote[];
}

export class DeletableResponse {
  asOf: CoverageMomentResponse;

  /** Messages that may be deleted. */
  @ApiProperty({ type: 'integer', example: 980 })
  yes: number;

  @ApiProperty({ type: 'integer', example: 20 })
  no: number;

  /** Each message once, in the order asked. */
  messages: DeletableMessageResponse[];
}

const momentOf = ({ historyId, at }: LedgerHead): CoverageMomentResponse => ({
  historyId,
  at: at?.toISOString() ?? null,
});

export function toCoverageResponse(overview: LedgerOverview): CoverageResponse {
  const { total, classes, bytes, excludedBy, failedBy, onlyInArchive } = coverageFigures(overview.totals);
  return {
    asOf: momentOf(overview),
    exact: overview.exact,
    incompleteFolders: [...overview.incompleteFolders],
    total,
    ...classes,
    bytes,
    excludedBy: excludedBy.map(({ key: exclusion, count }) => ({ exclusion, count })),
    failedBy: failedBy.map(({ key: reason, count }) => ({ reason, count })),
    provider: {
      total: overview.providerTotal,
      agreed: overview.providerAgreed,
      at: overview.providerCheckedAt?.toISOString() ?? null,
    },
    onlyInArchive,
  };
}

export const toCoveredMessageResponse = (message: CoveredMessage): CoveredMessageResponse => ({
  messageId: message.messageId,
  class: message.class,
  exclusion: message.exclusion,
  reason: message.reason,
  attempts: message.attempts,
  nextTryAt: message.nextTryAt?.toISOString() ?? null,
  mailId: message.mailId,
  verifiedOn: message.verifiedOn,
  labels: message.labels,
});

/** A message that the ledger has, or the archived mail of one that is gone. */
export type KnownMessage = Omit<CoveredMessage, 'class'> & { readonly class: CoveredMessage['class'] | null };

export const toExplainedMessageResponse = (message: KnownMessage): ExplainedMessageResponse => ({
  messageId: message.messageId,
  class: message.class,
  exclusion: message.exclusion,
  reason: message.reason,
  attempts: message.attempts,
  nextTryAt: message.nextTryAt?.toISOString() ?? null,
  mailId: message.mailId,
  verifiedOn: message.verifiedOn,
  labels: message.labels,
  text: textOf(message),
});

export function toDeletableResponse(
  head: LedgerHead,
  verdicts: readonly DeletionVerdict[],
): DeletableResponse {
  const yes = verdicts.filter(({ deletable }) => deletable).length;
  return {
    asOf: momentOf(head),
    yes,
    no: verdicts.length - yes,
    messages: verdicts.map(({ messageId, deletable, reasons, notes }) => ({
      messageId,
      deletable,
      reasons: [...reasons],
      notes: [...notes],
    })),
  };
}
