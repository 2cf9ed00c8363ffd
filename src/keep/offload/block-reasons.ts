import type { ArchivedCopy } from '../../archive/mails/holds/archived-copies';
import type { OffloadMode } from './receipts/receipt';

/** Reasons why a message stays in the mailbox. */
export const BLOCK_REASONS = [
  /** It has no copy in the archive. */
  'not-archived',
  /** The file of the copy is missing. */
  'copy-missing',
  /** The file of the copy is not what was archived. */
  'copy-altered',
  /** The copy is encrypted, and `strict` compares contents: the passphrase is needed. */
  'copy-encrypted',
  /** The copy was encrypted before the hash of its content was kept. */
  'content-unknown',
  /** The provider holds other bytes than the archive. */
  'provider-differs',
  'draft',
  'starred',
  'important',
  'unread',
  'in-trash',
  /** The mailbox no longer has the message. */
  'gone',
  /** A retention policy that includes offloaded mail would delete the copy within 30 days. */
  'policy-would-remove',
  /**
   * The message was moved, marked or deleted by the user or another program since the plan was made, or its copy is another
   * one.
   */
  'changed-since-plan',
  /** The message changed while it was being moved; if it was in the trash by then, it was taken out again. */
  'changed-meanwhile',
  /** The provider refused to move the message. */
  'refused',
] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** Marks that keep a message in the mailbox unless a plan allows them. */
export const MARKS = ['starred', 'important', 'unread'] as const;
export type Mark = (typeof MARKS)[number];
export type Allowed = Readonly<Record<Mark, boolean>>;

export const LABEL_OF_MARK: Readonly<Record<Mark, string>> = {
  starred: 'STARRED',
  important: 'IMPORTANT',
  unread: 'UNREAD',
};

/** State of a message when a plan is made. */
export interface Candidate {
  /** Labels of the message; null: the mailbox does not have it. */
  readonly labelIds: readonly string[] | null;
  /** Copy in the archive; null: there is none. */
  readonly copy: ArchivedCopy | null;
  readonly finding: 'missing' | 'altered' | 'differs' | null;
  readonly wouldBeRemoved: boolean;
}

const OF_FINDING = {
  missing: 'copy-missing',
  altered: 'copy-altered',
  differs: 'provider-differs',
} as const satisfies Record<NonNullable<Candidate['finding']>, BlockReason>;

/** The first reason that keeps a message where it is; null: it can be moved. */
export function blockReasonOf(candidate: Candidate, allowed: Allowed): BlockReason | null {
  const { labelIds, copy, finding, wouldBeRemoved } = candidate;
  if (labelIds === null) return 'gone';
  if (labelIds.includes('TRASH')) return 'in-trash';
  if (labelIds.includes('DRAFT')) return 'draft';
  const mark = markOf(labelIds, allowed);
  if (mark) return mark;
  if (!copy) return 'not-archived';
  if (finding) return OF_FINDING[finding];
  if (copy.contentSha256 === null) return 'content-unknown';
  return wouldBeRemoved ? 'policy-would-remove' : null;
}

/** The first mark of a message that keeps it in the mailbox; undefined: there is none. */
export function markOf(labelIds: readonly string[], allowed: Allowed): Mark | undefined {
  return MARKS.find((mark) => !allowed[mark] && labelIds.includes(LABEL_OF_MARK[mark]));
}

/** Whether the mode can compare an encrypted copy only with the passphrase. */
export function needsPassphrase(copy: Pick<ArchivedCopy, 'isEncrypted'>, mode: OffloadMode): boolean {
  return mode === 'strict' && copy.isEncrypted;
}
