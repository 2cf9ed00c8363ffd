import type { MailboxLabel } from '../../providers/port/mailbox-provider.port';
import type { SampledMessage } from '../../mailbox/index/indexed-messages';
import { formatSender, MessageFlag } from '../../mailbox/index/message-columns';
import { monthName, Months } from './months';

export interface StatsOptions {
  /** Address of the mailbox, which is not counted as a sender. */
  readonly ownEmail: string;
  readonly labels: readonly Pick<MailboxLabel, 'id' | 'name' | 'type'>[];
  /** Longest length of `bySender` and `biggestMails`. */
  readonly limit: number;
  /** IANA name of the time zone of the months. */
  readonly timeZone: string;
}

export interface SenderCount {
  readonly sender: string;
  readonly count: number;
  readonly sizeBytes: number;
}

export interface LabelCount {
  readonly label: string;
  readonly count: number;
}

export interface MonthCount {
  /** Month as YYYY-MM. */
  readonly month: string;
  readonly count: number;
}

export interface MailboxStats {
  readonly totalMessages: number;
  readonly unreadCount: number;
  readonly totalSizeBytes: number;
  readonly bySender: readonly SenderCount[];
  readonly biggestMails: readonly SampledMessage[];
  readonly byLabel: readonly LabelCount[];
  readonly timeline: readonly MonthCount[];
}

/** Computes figures about a sample of a mailbox. @param sample newest first */
export function mailboxStats(sample: readonly SampledMessage[], options: StatsOptions): MailboxStats {
  return {
    totalMessages: sample.length,
    unreadCount: sample.filter(({ flags }) => flags & MessageFlag.Unread).length,
    totalSizeBytes: sample.reduce((sum, { sizeEstimate }) => sum + sizeEstimate, 0),
    bySender: topSenders(sample, options),
    biggestMails: [...sample].sort((a, b) => b.sizeEstimate - a.sizeEstimate).slice(0, options.limit),
    byLabel: labelCounts(sample, options.labels),
    timeline: monthCounts(sample, options.timeZone),
  };
}

/**
 * Senders with the most messages, grouped by address under the newest display name; messages without an address are left out.
 */
function topSenders(
  sample: readonly SampledMessage[],
  { ownEmail, limit }: Pick<StatsOptions, 'ownEmail' | 'limit'>,
): SenderCount[] {
  const own = ownEmail.toLowerCase();
  const groups = new Map<string, { email: string; name: string; count: number; sizeBytes: number }>();
  for (const { senderEmail: email, senderName: name, sizeEstimate, flags } of sample) {
    if (email === '' || email === own || flags & MessageFlag.Own) continue;
    const group = groups.get(email) ?? { email, name, count: 0, sizeBytes: 0 };
    group.name ||= name;
    group.count += 1;
    group.sizeBytes += sizeEstimate;
    groups.set(email, group);
  }
  return [...groups.values()]
    .sort((a, b) => b.count - a.count || b.sizeBytes - a.sizeBytes || compare(a.email, b.email))
    .slice(0, limit)
    .map(({ count, sizeBytes, ...sender }) => ({ sender: formatSender(sender), count, sizeBytes }));
}

function labelCounts(sample: readonly SampledMessage[], labels: StatsOptions['labels']): LabelCount[] {
  const counts = new Map<string, number>();
  for (const { labelIds } of sample) {
    for (const id of labelIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return namedLabels(counts, labels);
}

/** Labels by the names that people know: the ids of system labels, and the names of user labels. */
export function namedLabels(
  counts: ReadonlyMap<string, number>,
  labels: StatsOptions['labels'],
): LabelCount[] {
  const names = new Map(labels.filter(({ type }) => type === 'user').map(({ id, name }) => [id, name]));
  return [...counts]
    .map(([id, count]) => ({ label: names.get(id) ?? id, count }))
    .sort((a, b) => b.count - a.count || compare(a.label, b.label));
}

/** Counts of every month from the first message to the last, including months without mail. */
function monthCounts(sample: readonly SampledMessage[], timeZone: string): MonthCount[] {
  const months = new Months(timeZone);
  const counts = new Map<number, number>();
  for (const { internalDate } of sample) {
    const month = months.monthOf(internalDate);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  return everyMonth(counts);
}

/** The months from the first to the last that has a count, ascending. */
export function everyMonth(counts: ReadonlyMap<number, number>): MonthCount[] {
  if (counts.size === 0) return [];
  const months = [...counts.keys()];
  const first = Math.min(...months);
  const length = Math.max(...months) - first + 1;
  return Array.from({ length }, (_, index) => ({
    month: monthName(first + index),
    count: counts.get(first + index) ?? 0,
  }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
