import { parseDecodedAddressList } from '../../mime/headers/address-list';
import { baseSubject, subjectKey } from './base-subject';
import type { ThreadedMessage } from './import-threads.port';

const DAY_MS = 24 * 60 * 60 * 1000;
export const SUBJECT_WINDOW_DAYS = 30;
/** Mails looked at on either side of one, the nearest in time first: what somebody sends in thousands is no talk. */
export const SUBJECT_NEIGHBOURS = 100;
const MAX_PARTICIPANTS = 64;
const MAX_ADDRESS = 320;
const CONTROLS = /\p{Cc}/gu;

/** What a message without References is threaded by, and what such messages are threaded with. */
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

/** null for a message that cannot be threaded by its subject. */
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
  return { subjectKey: subjectKey(text), date: message.date, participants, sender, isReply, hasReferences };
}

/**
 * Whether two messages belong together by their subject: it is the same, they share a participant, lie within 30
 * days, and one of them is a reply that does not say to what. Two that are not marked as replies are one conversation
 * only when different people wrote them: what one sender repeats are new messages, not answers. Says the same as the
 * query of `ImportThreadsRepository.sharingSubjects`.
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
