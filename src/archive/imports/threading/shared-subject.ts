import { createHash } from 'node:crypto';
import { parseDecodedAddressList } from '../../../platform/mime/address-list';
import type { ThreadedMessage } from './message-references';

/** Words mail programs put before the subject of a reply or a forwarded message, with a colon and maybe a count. */
const PREFIXES =
  're|fwd?|aw|wg|tr|rv|sv|vs|vb|vl|antw|antwort|doorst|ref|réf|rif|res|enc|odp|pd|ynt|ilt|atb|vá|fs|σχετ|πρθ|απ|' +
  'ha|na|hl|bls|trs|回复|答复|转发|回覆|轉寄|返信|転送|답장|전달';
const REPLY = new RegExp(`(?:${PREFIXES})\\s*(?:\\[\\d+\\]|\\(\\d+\\)|\\^\\d+)?\\s*:\\s*`, 'uy');
/** The name of a mailing list, and other marks in brackets. */
const MARK = /\[[^[\]]*\]\s*/uy;
const FORWARDED = '(fwd)';

export interface BaseSubject {
  /** The text that replies share with the mail they answer; empty when there is no subject. */
  readonly text: string;
  /** Whether the prefixes mark a reply or a forwarded message. */
  readonly isReply: boolean;
}

/**
 * The subject without the prefixes of replies, forwarded messages and mailing lists (RFC 5256 §2.1, with the prefixes of other
 * languages), in lower case, blanks as one. Linear in its length.
 */
export function baseSubject(subject: string): BaseSubject {
  const text = subject.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  let isReply = false;
  let length = text.length;
  while (text.endsWith(FORWARDED, length)) {
    length -= FORWARDED.length;
    if (text[length - 1] === ' ') length -= 1;
    isReply = true;
  }
  const rest = text.slice(0, length);
  let start = 0;
  for (;;) {
    const reply = end(REPLY, rest, start);
    if (reply !== null) {
      start = reply;
      isReply = true;
      continue;
    }
    const mark = end(MARK, rest, start);
    // A subject that consists of a mark alone keeps it.
    if (mark === null || mark === rest.length) break;
    start = mark;
  }
  return { text: rest.slice(start).trim(), isReply };
}

/** A hash of a base subject: a signed 64-bit number as text. */
export const conversationSubjectKey = (text: string): string =>
  createHash('sha256').update(text).digest().readBigInt64BE(0).toString();

function end(pattern: RegExp, text: string, start: number): number | null {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
export const SUBJECT_WINDOW_DAYS = 30;
/** Mails compared on either side of one, the nearest in time first: thousands of alike mails are no conversation. */
export const SUBJECT_NEIGHBOURS = 100;
const MAX_PARTICIPANTS = 64;
const MAX_ADDRESS = 320;
const CONTROLS = /\p{Cc}/gu;

/** Traits that messages without References are threaded by. */
export interface SubjectTraits {
  /** Hash of the base subject. */
  readonly subjectKey: string;
  readonly date: Date;
  /** Addresses of sender and recipients, lower-case, without the account's own unless there is no other. */
  readonly participants: readonly string[];
  readonly sender: string;
  readonly isReply: boolean;
  readonly hasReferences: boolean;
}

/** The traits of a message; null when it cannot be threaded by its subject. */
export function subjectTraits(
  message: ThreadedMessage,
  ownAddress: string,
  hasReferences: boolean,
): SubjectTraits | null {
  const { text, isReply } = baseSubject(message.subject);
  if (text === '') return null;
  const [sender = ''] = addresses(message.sender);
  const everybody = new Set([sender, ...addresses(message.recipient)].filter((address) => address !== ''));
  const others = [...everybody].filter((address) => address !== ownAddress.toLowerCase());
  const participants = (others.length > 0 ? others : [...everybody]).slice(0, MAX_PARTICIPANTS);
  if (participants.length === 0) return null;
  return {
    subjectKey: conversationSubjectKey(text),
    date: message.date,
    participants,
    sender,
    isReply,
    hasReferences,
  };
}

/**
 * Whether two messages belong together by their subject: it is the same, they share a participant, lie within 30
 * days, and one of them is a reply that does not name the answered mail. Two that are not marked as replies are one
 * conversation only when different people wrote them: repeated messages of one sender are not answers. The query of
 * `ImportThreadsRepository.findSharingSubjects` has the same rule.
 */
export function shareConversation(one: SubjectTraits, other: SubjectTraits): boolean {
  if (one.subjectKey !== other.subjectKey) return false;
  if (Math.abs(one.date.getTime() - other.date.getTime()) > SUBJECT_WINDOW_DAYS * DAY_MS) return false;
  if (!one.participants.some((address) => other.participants.includes(address))) return false;
  const isLoose = (traits: SubjectTraits): boolean => traits.isReply && !traits.hasReferences;
  if (isLoose(one) || isLoose(other)) return true;
  return !one.hasReferences && !other.hasReferences && one.sender !== other.sender;
}

const addresses = (list: string): string[] =>
  parseDecodedAddressList(list)
    .map(({ address }) => address.replace(CONTROLS, '').trim().toLowerCase().slice(0, MAX_ADDRESS))
    .filter((address) => address !== '');
