import type { LedgerHead, MessageEvidence } from '../ledger/coverage.repository';
import { COPY_ALTERED, COPY_MISSING, PROVIDER_DIFFERS } from '../ledger/ledger';

/** Reasons for a message to stay in the mailbox. */
export const BLOCKING_REASONS = [
  'coverage-not-exact',
  'gone',
  'not-archived',
  'not-verified',
  'copy-missing',
  'copy-altered',
  'provider-differs',
  'draft',
  'in-trash',
  'policy-would-remove',
] as const;
export type BlockingReason = (typeof BLOCKING_REASONS)[number];

/** Facts that a user may want to know before deleting a message. They do not prevent the deletion. */
export const DELETION_NOTES = ['starred', 'important', 'unread'] as const;
export type DeletionNote = (typeof DELETION_NOTES)[number];

export interface DeletionVerdict {
  readonly messageId: string;
  readonly deletable: boolean;
  readonly reasons: readonly BlockingReason[];
  readonly notes: readonly DeletionNote[];
}

const NOTES: readonly (readonly [string, DeletionNote])[] = [
  ['STARRED', 'starred'],
  ['IMPORTANT', 'important'],
  ['UNREAD', 'unread'],
];

/** Judges whether a message may be deleted from the mailbox: its archived copy stays, and is right. */
export function judgeDeletion(
  message: MessageEvidence,
  { exact }: Pick<LedgerHead, 'exact'>,
  wouldRemove: (mail: { readonly ageingFrom: Date; readonly labelIds: readonly string[] }) => boolean,
): DeletionVerdict {
  const reasons: BlockingReason[] = exact ? [] : ['coverage-not-exact'];
  const copy = copyProblem(message);
  if (copy) reasons.push(copy);
  if (message.labels.includes('DRAFT')) reasons.push('draft');
  if (message.labels.includes('TRASH')) reasons.push('in-trash');
  const { mailAgeingFrom: ageingFrom, mailLabels: labelIds } = message;
  if (ageingFrom && labelIds && wouldRemove({ ageingFrom, labelIds })) reasons.push('policy-would-remove');
  return {
    messageId: message.messageId,
    deletable: reasons.length === 0,
    reasons,
    notes: NOTES.flatMap(([label, note]) => (message.labels.includes(label) ? [note] : [])),
  };
}

function copyProblem({ class: found, reason, mailId, isGone }: MessageEvidence): BlockingReason | null {
  if (found === null) return isGone ? 'gone' : 'not-archived';
  if (found === 'failed' && reason === COPY_MISSING) return 'copy-missing';
  if (found === 'failed' && reason === COPY_ALTERED) return 'copy-altered';
  if (found === 'failed' && reason === PROVIDER_DIFFERS) return 'provider-differs';
  if (found === 'archived') return 'not-verified';
  return found === 'verified' && mailId !== null ? null : 'not-archived';
}
