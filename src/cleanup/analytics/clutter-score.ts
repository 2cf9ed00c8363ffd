import type { SenderTotals } from '../../mailbox/index/indexed-messages';
import { formatSender } from '../../mailbox/index/message-columns';

const MOST_MAILS = 50;
const MOST_BYTES = 50 * 1024 * 1024;

const VOLUME_POINTS = 30;
const SIZE_POINTS = 25;
const UNREAD_POINTS = 25;
const UNSUBSCRIBE_POINTS = 20;

export interface ClutterFacts {
  readonly count: number;
  readonly bytes: number;
  readonly unread: number;
  readonly hasUnsubscribe: boolean;
}

/** Share of mail that has been read, 0 to 1; 1 without mail. */
export function readRateOf({ count, unread }: Pick<ClutterFacts, 'count' | 'unread'>): number {
  return count === 0 ? 1 : (count - unread) / count;
}

/**
 * Scores how much a sender clutters a mailbox, 0 to 100: up to 30 points for volume (50 mails), 25 for size (50 MiB), 25 for
 * unread mail, 20 for a sender of newsletters or promotions.
 */
export function clutterScore(facts: ClutterFacts): number {
  return Math.round(
    (VOLUME_POINTS * Math.min(facts.count, MOST_MAILS)) / MOST_MAILS +
      (SIZE_POINTS * Math.min(facts.bytes, MOST_BYTES)) / MOST_BYTES +
      UNREAD_POINTS * (1 - readRateOf(facts)) +
      (facts.hasUnsubscribe ? UNSUBSCRIBE_POINTS : 0),
  );
}

export interface ScoredSender {
  /** Sender as `Name <address>`. */
  readonly sender: string;
  readonly emailCount: number;
  readonly totalSizeBytes: number;
  readonly unreadCount: number;
  readonly hasUnsubscribe: boolean;
  /** Share of mail that has been read, 0 to 1, with four decimals. */
  readonly readRate: number;
  readonly clutterScore: number;
}

/** Whether the sender has mail with a List-Unsubscribe header, or in the promotions category. */
export function hasUnsubscribe({ newsletters, promotions }: SenderTotals): boolean {
  return newsletters > 0 || promotions > 0;
}

export function scoreSender(totals: SenderTotals): ScoredSender {
  return {
    sender: formatSender(totals),
    emailCount: totals.count,
    totalSizeBytes: totals.bytes,
    unreadCount: totals.unread,
    hasUnsubscribe: hasUnsubscribe(totals),
    readRate: Math.round(readRateOf(totals) * 10_000) / 10_000,
    clutterScore: clutterScore({ ...totals, hasUnsubscribe: hasUnsubscribe(totals) }),
  };
}

/** Order of senders: most cluttered first, then by number of mails; equal ones in a stable order. */
export function byClutter(a: ScoredSender, b: ScoredSender): number {
  return (
    b.clutterScore - a.clutterScore ||
    b.emailCount - a.emailCount ||
    b.totalSizeBytes - a.totalSizeBytes ||
    (a.sender < b.sender ? -1 : 1)
  );
}
