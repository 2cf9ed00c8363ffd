import { createHash } from 'node:crypto';
import { parseDecodedAddressList } from '../../platform/mime/address-list';

/** Bits of `mailbox_messages.flags`; the trigger in the migration sets them. */
export const MessageFlag = {
  Unread: 1,
  /** In spam or trash. */
  Hidden: 2,
  /** Sent by the account itself, drafts included. */
  Own: 4,
  Promotion: 8,
  Starred: 16,
  Important: 32,
  Inbox: 64,
  /** Has a List-Unsubscribe header (RFC 2369). */
  Newsletter: 128,
  /** The row must be verified before it is used. */
  Stale: 256,
} as const;

/** Flags of rows that do not count in figures. */
export const NOT_COUNTED = MessageFlag.Hidden | MessageFlag.Stale;

/**
 * Longest sender that is stored. RFC 5321 §4.5.3.1 allows 254 characters; longer text is not an address, but needs a
 * group too.
 */
const MAX_EMAIL = 320;

export interface Sender {
  /** Lower-case; empty when the header holds no address. */
  readonly email: string;
  /** Display name, empty when there is none. */
  readonly name: string;
}

/** Returns the sender of a message. @param from the From header, with encoded words decoded */
export function senderOf(from: string): Sender {
  const addresses = parseDecodedAddressList(from);
  const first = addresses.find(({ address }) => address !== '') ?? addresses[0];
  return { email: (first?.address ?? '').toLowerCase().slice(0, MAX_EMAIL), name: first?.name ?? '' };
}

/** Formats `Name <address>` for display, or only one of them when the other is missing. */
export function formatSender({ name, email }: Sender): string {
  if (!name) return email;
  return email ? `${name} <${email}>` : name;
}

const REPLY_PREFIX = /^\s*(?:re|fwd?|aw|wg|tr|rv|sv|vs|antw|ref|réf)\s*(?:\[\d+\]|\(\d+\))?\s*[:：]\s*/iu;
/** Names of months and days in English and French, and their usual short forms. */
const DATE_WORDS = new Set(
  (
    'january february march april may june july august september october november december ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun ' +
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre ' +
    'janv févr avr juil déc lundi mardi mercredi jeudi vendredi samedi dimanche ' +
    'am pm st nd rd th er'
  ).split(' '),
);

/**
 * Returns the common part of the subjects of a series: without reply prefixes, digits and dates, in lower case, with
 * words separated by single blanks. `Re: Invoice #4711 of 3 March 2026` and `Invoice #12 of 4 April 2026` → `invoice
 * of`.
 */
export function subjectPattern(subject: string): string {
  let rest = subject.normalize('NFKC');
  for (let bare = rest.replace(REPLY_PREFIX, ''); bare !== rest; bare = rest.replace(REPLY_PREFIX, '')) {
    rest = bare;
  }
  return rest
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '' && !DATE_WORDS.has(word))
    .join(' ');
}

/**
 * Returns a key that is equal for subjects of the same pattern: a signed 64-bit number as text; null when the pattern
 * is empty.
 */
export function subjectKey(subject: string): string | null {
  const pattern = subjectPattern(subject);
  if (pattern === '') return null;
  return createHash('sha256').update(pattern).digest().readBigInt64BE(0).toString();
}
