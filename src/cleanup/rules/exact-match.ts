import { searchTokens } from '../../archive/mails/search/fold-text';
import type { MessageMetadata } from '../../providers/port/mailbox-provider.port';
import type { LabelLookup } from '../../mailbox/labels/label-lookup';
import { searchText } from '../../mailbox/messages/search-text';
import { MailAddress, parseDecodedAddressList } from '../../platform/mime/address-list';
import { isDestructive, isNegative, RuleAction, RuleCondition } from './rule';

/** Properties of a message that conditions test. */
export type MatchedMessage = Pick<
  MessageMetadata,
  'from' | 'to' | 'subject' | 'sizeEstimate' | 'internalDate' | 'labelIds' | 'hasAttachments'
>;

/** Whether a condition holds for a message. */
type Test = (message: MatchedMessage) => boolean;

const HIDING = ['SPAM', 'TRASH'];
const NEVER: Test = () => false;

/**
 * Whether a message found by the provider's search must be checked before it is changed. The search is loose: it has no
 * "equals", stems words and negates the stemmed words. Before changes that cannot be undone easily every message is checked;
 * otherwise only where the search cannot express a condition, as reading messages costs far more than finding them.
 */
export function needsExactMatch(
  rule: { readonly conditions: readonly RuleCondition[]; readonly action: RuleAction },
  labels: LabelLookup,
): boolean {
  return isDestructive(rule.action.type) || rule.conditions.some((condition) => isLoose(condition, labels));
}

function isLoose({ field, operator, value }: RuleCondition, labels: LabelLookup): boolean {
  if (isNegative({ field, operator, value }) || isAccount(field, value)) return true;
  if (operator !== 'equals') return false;
  // The search finds system labels exactly, and user labels by a name that several may share.
  if (field === 'label') return labels.find(String(value))?.type !== 'system';
  return field === 'from' || field === 'to' || field === 'subject';
}

/** Whether the search takes the value for the address of the account itself, whatever the condition meant. */
function isAccount(field: RuleCondition['field'], value: RuleCondition['value']): boolean {
  return (field === 'from' || field === 'to') && searchText(String(value))?.toLowerCase() === 'me';
}

/**
 * A test for messages that meet all conditions exactly, by their own headers, labels, size and date; in doubt they do not. A
 * message in spam or trash meets them only when one of them asks for that place.
 *
 * `to contains` is left to the provider, which also searches Cc and Bcc, unless it would look for the account.
 *
 * @param now the instant ages are counted from
 */
export function createExactMatcher(
  conditions: readonly RuleCondition[],
  labels: LabelLookup,
  now: Date,
): Test {
  const tests = conditions.map((condition) => testOf(condition, labels, now));
  const asked = new Set(
    conditions
      .filter(({ field, operator }) => field === 'label' && operator === 'equals')
      .map(({ value }) => labels.find(String(value))?.id),
  );
  const forbidden = HIDING.filter((place) => !asked.has(place));
  return (message) =>
    !forbidden.some((place) => message.labelIds.includes(place)) && tests.every((test) => test(message));
}

/**
 * A test for messages that were found to meet all conditions, by their current labels: nothing else of a message ever changes.
 */
export function createLabelMatcher(
  conditions: readonly RuleCondition[],
  labels: LabelLookup,
): (labelIds: readonly string[]) => boolean {
  const changeable = conditions.filter(({ field }) => field === 'label');
  const test = createExactMatcher(changeable, labels, new Date());
  return (labelIds) => test({ ...NOT_READ, labelIds });
}

/** Fields that label conditions do not read. */
const NOT_READ: Omit<MatchedMessage, 'labelIds'> = {
  from: '',
  to: '',
  subject: '',
  sizeEstimate: 0,
  internalDate: new Date(0),
  hasAttachments: false,
};

function testOf({ field, operator, value }: RuleCondition, labels: LabelLookup, now: Date): Test {
  switch (field) {
    case 'from':
    case 'to':
    case 'subject':
      return textTest(field, operator, String(value));
    case 'has_attachment':
      return ({ hasAttachments }) => hasAttachments === value;
    case 'size_gt':
      return ({ sizeEstimate }) => sizeEstimate > Number(value);
    case 'size_lt':
      return ({ sizeEstimate }) => sizeEstimate < Number(value);
    case 'label': {
      const id = labels.find(String(value))?.id;
      if (id === undefined) return NEVER;
      return ({ labelIds }) => labelIds.includes(id) === (operator === 'equals');
    }
    case 'older_than':
    case 'newer_than': {
      const cutoffs = ageCutoffs(String(value), now);
      if (!cutoffs) return NEVER;
      return field === 'older_than'
        ? ({ internalDate }) => internalDate < cutoffs.earliest
        : ({ internalDate }) => internalDate > cutoffs.latest;
    }
  }
}

function textTest(
  field: 'from' | 'to' | 'subject',
  operator: RuleCondition['operator'],
  value: string,
): Test {
  switch (operator) {
    case 'contains': {
      if (field === 'to' && !isAccount(field, value)) return () => true;
      const read = SIGN.test(value.normalize('NFKC')) ? wordsAndSigns : words;
      const wanted = read(value);
      const literals = dottedWords(value);
      return (message) =>
        ` ${read(message[field])} `.includes(` ${wanted} `) &&
        literals.every((word) => caseless(message[field]).includes(word));
    }
    case 'not_contains': {
      // Parts of words count too: a rule that excludes "invoice" must not delete "invoices".
      const wanted = words(value);
      return (message) => !words(message[field]).includes(wanted);
    }
    case 'equals':
      return equalTo(field, value);
    case 'not_equals': {
      const isEqual = equalTo(field, value);
      return (message) => !isEqual(message);
    }
    default:
      return NEVER;
  }
}

function equalTo(field: 'from' | 'to' | 'subject', value: string): Test {
  const wanted = collapse(value);
  if (field === 'subject') return ({ subject }) => collapse(subject) === wanted;
  // `Name <address>` and `<address>` name the address.
  const address = wanted.includes('@') ? addressOf(value) : undefined;
  return (message) => {
    const addresses = parseDecodedAddressList(message[field]);
    if (address !== undefined) return addresses.some((each) => collapse(each.address) === address);
    return [...addresses.flatMap(namesOf), stripLastAddress(message[field])].some(
      (name) => collapse(name) === wanted,
    );
  };
}

function addressOf(value: string): string {
  const parsed = parseDecodedAddressList(value).find(({ address }) => address !== '');
  return collapse(parsed?.address ?? value);
}

const namesOf = ({ name, address }: MailAddress): string[] => [name, address];

/** The whole of a header but its last address: decoded names may contain a comma, which separates addresses. */
const stripLastAddress = (header: string): string =>
  header.replace(/<[^<>]*>\s*$/, '').replace(/^\s*"(.*)"\s*$/s, '$1');

/** Letter case and runs of blanks make no difference. */
const collapse = (text: string): string => text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** The words of a text as searches compare them: neither case nor accents nor punctuation make a difference. */
const words = (text: string): string => searchTokens(text).join(' ');

/** Signs that searches ignore, although "C++" is not "C" and "50%" not "50"; angle brackets are part of addresses. */
const SIGN = /((?![<>])[\p{S}#%&*@])/u;

/** The words of a text and the signs between them. */
const wordsAndSigns = (text: string): string =>
  text
    .normalize('NFKC')
    .split(SIGN)
    .flatMap((part) => (SIGN.test(part) ? part : searchTokens(part)))
    .join(' ');

const caseless = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Addresses, domains and the like in a text: `a.b@c.example` and `a-b@c.example` are the same words. */
const dottedWords = (text: string): string[] =>
  caseless(text)
    .split(/\s+/u)
    .filter((word) => /[\p{L}\p{N}][.@][\p{L}\p{N}]/u.test(word))
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));

/** The instants that an age may mean; they differ where the target month is too short. */
export interface AgeCutoffs {
  readonly earliest: Date;
  readonly latest: Date;
}

const DAY_MS = 86_400_000;

/**
 * The instant before which a message has reached an age, by the calendar in UTC: one month before 31 March is the last of
 * February or, in other calendars, some days into March.
 * @param age a number followed by d, m or y
 * @returns undefined for anything else, and for ages beyond what dates can express
 */
export function ageCutoffs(age: string, now: Date): AgeCutoffs | undefined {
  const match = /^(\d+)([dmy])$/.exec(age);
  if (!match) return undefined;
  const count = Number(match[1]);
  const days = new Date(now.getTime() - count * DAY_MS);
  const cutoffs =
    match[2] === 'd'
      ? { earliest: days, latest: days }
      : monthsBefore(now, match[2] === 'y' ? count * 12 : count);
  return Number.isNaN(cutoffs.earliest.getTime()) ? undefined : cutoffs;
}

function monthsBefore(now: Date, months: number): AgeCutoffs {
  const overflowing = new Date(now);
  overflowing.setUTCMonth(now.getUTCMonth() - months);
  if (overflowing.getUTCDate() === now.getUTCDate()) return { earliest: overflowing, latest: overflowing };
  const clamped = new Date(overflowing);
  clamped.setUTCDate(0);
  return { earliest: clamped, latest: overflowing };
}
