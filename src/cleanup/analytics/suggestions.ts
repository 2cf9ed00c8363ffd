import { senderQuery } from '../../mailbox/messages/search-text';
import type { RepeatedSubject, SenderTotals } from '../../mailbox/index/indexed-messages';
import { formatSender, subjectPattern } from '../../mailbox/index/message-columns';
import type { SuggestionType } from './analytics.entity';
import { clutterScore, hasUnsubscribe, readRateOf } from './clutter-score';

export const MIN_REPETITIONS = 10;
const MIN_UNREAD = 20;
const LARGE_BYTES = 10 * 1024 * 1024;
const LARGE_MIN_SCORE = 40;
const OLD_NEWSLETTER_MIN_MAILS = 5;
const OLD_NEWSLETTER_MAX_READ_RATE = 0.3;
const MAX_NAME = 80;

/** A suggestion as found now. */
export interface FoundSuggestion {
  readonly type: SuggestionType;
  /** Identifies a suggestion among those of its type, and recognises it when it is found later. */
  readonly subjectOf: string;
  readonly title: string;
  readonly description: string;
  readonly sender: string;
  readonly emailCount: number;
  readonly totalSizeBytes: number;
  readonly query: string;
}

/** Suggestions, largest first. @param series of at least `MIN_REPETITIONS` mails each */
export function findSuggestions(
  senders: readonly SenderTotals[],
  series: readonly RepeatedSubject[],
): FoundSuggestion[] {
  const mails = new Map(senders.map(({ email, count }) => [email, count]));
  return [
    ...senders.flatMap(suggestionsOfSender),
    ...series.flatMap((repeated) => repeatedSubject(repeated, mails.get(repeated.email)) ?? []),
  ].sort(bySize);
}

function suggestionsOfSender(totals: SenderTotals): FoundSuggestion[] {
  const from = senderQuery(totals.email);
  if (from === null) return [];
  const name = nameOf(totals);
  const common = { subjectOf: totals.email, sender: formatSender(totals) };
  const all = { ...common, emailCount: totals.count, totalSizeBytes: totals.bytes, query: from };
  const found: FoundSuggestion[] = [];
  if (totals.unread >= MIN_UNREAD) {
    found.push({
      ...common,
      type: 'bulk_unread',
      title: `${totals.unread} unread mails from ${name}`,
      description: `${totals.unread} of ${totals.count} mails from this sender are unread.`,
      emailCount: totals.unread,
      totalSizeBytes: totals.unreadBytes,
      query: `${from} is:unread`,
    });
  }
  const score = clutterScore({ ...totals, hasUnsubscribe: hasUnsubscribe(totals) });
  if (totals.bytes > LARGE_BYTES && score >= LARGE_MIN_SCORE) {
    found.push({
      ...all,
      type: 'large_sender',
      title: `${megabytes(totals.bytes)} of mail from ${name}`,
      description: `${totals.count} mails take ${megabytes(totals.bytes)}; the clutter score is ${score} of 100.`,
    });
  }
  const readRate = readRateOf(totals);
  if (
    totals.newsletters > 0 &&
    totals.count >= OLD_NEWSLETTER_MIN_MAILS &&
    readRate < OLD_NEWSLETTER_MAX_READ_RATE
  ) {
    found.push({
      ...all,
      type: 'old_newsletters',
      title: `Newsletters from ${name} you rarely read`,
      description: `${totals.count - totals.unread} of ${totals.count} mails from this newsletter have been read.`,
    });
  }
  return found;
}

function repeatedSubject(series: RepeatedSubject, mailsOfSender?: number): FoundSuggestion | null {
  const from = senderQuery(series.email);
  if (from === null) return null;
  const subject = subjectQuery(series.subject);
  // Without a word to search for, the sender alone selects the series only when it has no other mail.
  if (subject === null && mailsOfSender !== series.count) return null;
  return {
    type: 'duplicate_pattern',
    subjectOf: `${series.email}:${series.subjectKey}`,
    title: `${series.count} similar mails from ${nameOf(series)}`,
    description:
      `${series.count} mails have subjects like “${shorten(series.subject)}”.` +
      // Searches compare words, not patterns.
      (subject === null ? '' : ' The query finds other mail of this sender with the same words, too.'),
    sender: formatSender(series),
    emailCount: series.count,
    totalSizeBytes: series.bytes,
    query: subject === null ? from : `${from} ${subject}`,
  };
}

function nameOf({ name, email }: { readonly name: string; readonly email: string }): string {
  return shorten(name || email);
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join('')}…` : text;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function bySize(a: FoundSuggestion, b: FoundSuggestion): number {
  return b.totalSizeBytes - a.totalSizeBytes || b.emailCount - a.emailCount;
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** Number of words of a query: more make no difference, and queries have a limit. */
const MAX_SUBJECT_WORDS = 20;

/**
 * Selects subjects with the words of this one's pattern, in any order and among others: the search language has no
 * patterns. It knows whole words only, so that those with digits attached are left out.
 * @returns null when no word is left
 */
export function subjectQuery(subject: string): string | null {
  const pattern = new Set(subjectPattern(subject).split(' '));
  const words = subject
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((word) => pattern.has(word) && SAYS_SOMETHING.test(word));
  const distinct = [...new Set(words)].slice(0, MAX_SUBJECT_WORDS);
  return distinct.length === 0 ? null : `subject:(${distinct.map((word) => `"${word}"`).join(' ')})`;
}
