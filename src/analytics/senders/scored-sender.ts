import type { SenderTotals } from '../../mailbox/message-index/reads/indexed-messages';
import { displaySender } from '../../mailbox/message-index/columns/sender';
import { clutterScore, readRateOf } from './clutter-score';

export interface ScoredSender {
  /** `Name <address>` */
  readonly sender: string;
  readonly emailCount: number;
  readonly totalSizeBytes: number;
  readonly unreadCount: number;
  readonly hasUnsubscribe: boolean;
  /** 0 to 1, four decimals. */
  readonly readRate: number;
  readonly clutterScore: number;
}

/** A List-Unsubscribe header, or the promotions category. */
export function hasUnsubscribe({ newsletters, promotions }: SenderTotals): boolean {
  return newsletters > 0 || promotions > 0;
}

export function scoreSender(totals: SenderTotals): ScoredSender {
  return {
    sender: displaySender(totals),
    emailCount: totals.count,
    totalSizeBytes: totals.bytes,
    unreadCount: totals.unread,
    hasUnsubscribe: hasUnsubscribe(totals),
    readRate: Math.round(readRateOf(totals) * 10_000) / 10_000,
    clutterScore: clutterScore({ ...totals, hasUnsubscribe: hasUnsubscribe(totals) }),
  };
}

/** Most cluttered first, then by number of mails; equal ones in a stable order. */
export function byClutter(a: ScoredSender, b: ScoredSender): number {
  return (
    b.clutterScore - a.clutterScore ||
    b.emailCount - a.emailCount ||
    b.totalSizeBytes - a.totalSizeBytes ||
    (a.sender < b.sender ? -1 : 1)
  );
}
