import type { ArchivingMode, ArchivingTrouble } from '../settings/archiving-settings.entity';
import type { ArchivingOverview } from '../settings/archiving-settings.repository';
import type { StoredAccountStatus } from '../../../mailbox/accounts/mailbox-account.entity';

export const ARCHIVING_STATES = [
  'off',
  'needs_reconnection',
  'paused',
  'quota_full',
  'behind',
  'healthy',
] as const;
export type ArchivingState = (typeof ARCHIVING_STATES)[number];

export const BEHIND_REASONS = [
  'first-fill',
  'backlog',
  'provider',
  'store',
  'history-lost',
  'incomplete',
] as const;
export type BehindReason = (typeof BEHIND_REASONS)[number];

/** Long enough for a few passes: mail that waits for longer is not on its way. */
export const LATE_MS = 10 * 60_000;

/** Facts from which an account's state is derived. */
export interface ArchivingFacts {
  readonly mode: ArchivingMode;
  readonly paused: boolean;
  readonly account: { readonly isActive: boolean; readonly status: StoredAccountStatus };
  /** The storage quota has no room for the mail that waits. */
  readonly isFull: boolean;
  /** When the first of the messages that wait began to; null when none does. */
  readonly oldestPendingAt: Date | null;
  /** When the mailbox was last asked for changes; null: not yet. */
  readonly lookedAt: Date | null;
  /** Whether the ledger is the mailbox. */
  readonly exact: boolean;
  /** The server of the mailbox counts more messages than it lists. */
  readonly isIncomplete: boolean;
  /** When everything was copied for the first time; null: not yet. */
  readonly filledAt: Date | null;
  readonly trouble: ArchivingTrouble | null;
}

export interface JudgedState {
  readonly state: ArchivingState;
  /** Only of `behind`. */
  readonly reason: BehindReason | null;
}

/** The first state that holds. */
export function stateOf(facts: ArchivingFacts, now: Date): JudgedState {
  const { mode, account } = facts;
  if (mode === 'off') return { state: 'off', reason: null };
  if (account.status === 'needs_reauth') return { state: 'needs_reconnection', reason: null };
  // A mailbox that its owner has disconnected rests, as one that is switched off.
  if (facts.paused || !account.isActive || account.status !== 'connected')
    return { state: 'paused', reason: null };
  if (mode === 'keep' && facts.isFull) return { state: 'quota_full', reason: null };
  const isLate = (since: Date): boolean => now.getTime() - since.getTime() > LATE_MS;
  const isUnseen = facts.lookedAt === null || isLate(facts.lookedAt);
  const waits = mode === 'keep' && facts.oldestPendingAt !== null && isLate(facts.oldestPendingAt);
  if (facts.exact && !facts.isIncomplete && !isUnseen && !waits) return { state: 'healthy', reason: null };
  return { state: 'behind', reason: reasonOf(facts) };
}

function reasonOf({ trouble, filledAt, exact, isIncomplete }: ArchivingFacts): BehindReason {
  if (trouble !== null) return trouble;
  if (filledAt === null) return 'first-fill';
  if (!exact) return 'history-lost';
  return isIncomplete ? 'incomplete' : 'backlog';
}

/** Whether a state is one its owner hears of when it lasts. */
export const isUnhealthy = ({ state }: Pick<JudgedState, 'state'>): boolean =>
  state === 'needs_reconnection' || state === 'quota_full' || state === 'behind';

/** A time for which an account is unhealthy, and whether its owner was notified. */
export interface Episode {
  readonly unhealthySince: Date | null;
  readonly notifiedAt: Date | null;
}

export interface EpisodeChange extends Episode {
  readonly event: 'unhealthy' | 'recovered' | null;
}

/**
 * Derives the next episode from a state. The owner is notified once, when it has lasted long enough, and of its end when they were
 * notified before; an end of their own making, a pause for example, is not notified.
 * @param notifyAfterHours null: never
 */
export function nextEpisode(
  before: Episode,
  judged: JudgedState,
  notifyAfterHours: number | null,
  now: Date,
): EpisodeChange {
  if (!isUnhealthy(judged)) {
    const isRecovery = judged.state === 'healthy' && before.notifiedAt !== null;
    return { unhealthySince: null, notifiedAt: null, event: isRecovery ? 'recovered' : null };
  }
  const unhealthySince = before.unhealthySince ?? now;
  const lastedMs = now.getTime() - unhealthySince.getTime();
  const isDue =
    before.notifiedAt === null && notifyAfterHours !== null && lastedMs >= notifyAfterHours * 3_600_000;
  return {
    unhealthySince,
    notifiedAt: isDue ? now : before.notifiedAt,
    event: isDue ? 'unhealthy' : null,
  };
}

/** Derives the state of an account. */
export const deriveState = (overview: ArchivingOverview, now: Date): JudgedState =>
  stateOf({ ...overview, isIncomplete: overview.incompleteFolders.length > 0, account: overview }, now);
