import { fc } from '../properties';

/** A message whose search results are known without our code. */
export interface NaiveMail {
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly replyTo: string;
  readonly list: string;
  readonly subject: string;
  readonly text: string;
  readonly file: string | null;
  readonly isUnread: boolean;
  readonly isStarred: boolean;
  readonly daysAgo: number;
  readonly padding: number;
}

/** A query before it is typed. */
export type Wanted =
  | { readonly kind: 'all' | 'any' | 'braces'; readonly parts: readonly Wanted[] }
  | { readonly kind: 'not'; readonly part: Wanted }
  | {
      readonly kind: 'words';
      readonly field: Field | null;
      readonly typed: string;
      readonly finds: readonly string[];
    }
  | { readonly kind: 'test'; readonly typed: string; readonly holds: (mail: SentMail) => boolean };

type Field = 'from' | 'to' | 'cc' | 'replyto' | 'list' | 'subject' | 'filename';

/** A message as it was delivered, with its size. */
export interface SentMail extends NaiveMail {
  readonly number: number;
  readonly raw: Buffer;
}

const IBAN = 'de89 3704 0044 0532 0130 00';
/** Texts as one types them, and the texts that each finds, in small letters, with blanks between words. */
const VOCABULARY: readonly (readonly [string, ...string[]])[] = [
  ['copper', 'copper'],
  ['PLUMBER', 'plumber'],
  ['invoice', 'invoice'],
  ['"copper plumber"', 'copper plumber'],
  ['Müller', 'müller', 'mueller', 'muller'],
  ['Mueller', 'müller', 'mueller', 'muller'],
  ['"Mueller"', 'mueller'],
  ['straße', 'straße', 'strasse'],
  ['Strasse', 'straße', 'strasse'],
  ['OBrien', 'obrien', 'o brien'],
  ["O'Brien", 'obrien', 'o brien'],
  ['Crêpe-Kaffee', 'crêpe kaffee', 'crepe kaffee', 'crêpekaffee', 'crepekaffee'],
  ['DE89370400440532013000', IBAN, IBAN.replaceAll(' ', '')],
  ['71450/36214', '71450 36214', '7145036214'],
];
const WRITTEN = [
  'copper', 'plumber', 'invoice', 'copper plumber', 'Müller', 'Mueller', 'Muller', 'Straße', 'Strasse', 'OBrien', "O'Brien", 'Crêpe-Kaffee',
  'Crepe-Kaffee', IBAN.toUpperCase(), IBAN.replaceAll(' ', '').toUpperCase(), '71450/36214', '7145036214',
]; // prettier-ignore
const PEOPLE = [
  'Ada Plumber <ada@copper.example>',
  'Jörg Müller <jm@firm.example>',
  'Pat Mueller <pat@firm.example>',
  "Sam O'Brien <sam@invoice.example>",
];

const texts = fc.array(fc.constantFrom(...WRITTEN), { maxLength: 3 }).map((words) => words.join(', '));
const orNone = (text: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(text, fc.constant(''));

export const naiveMail: fc.Arbitrary<NaiveMail> = fc.record({
  from: fc.constantFrom(...PEOPLE),
  to: fc.constantFrom(...PEOPLE),
  cc: orNone(fc.constantFrom(...PEOPLE)),
  replyTo: orNone(fc.constantFrom(...PEOPLE)),
  list: orNone(fc.constant('<plumber.lists.example>')),
  subject: texts,
  text: texts,
  file: fc.constantFrom(null, null, 'invoice copper.pdf', 'Strasse.pdf'),
  isUnread: fc.boolean(),
  isStarred: fc.boolean(),
  daysAgo: fc.constantFrom(3, 40, 200, 500, 900),
  padding: fc.constantFrom(0, 3_000),
});

/** The message as it is delivered. @param number stands in its subject */
export function sentMail(mail: NaiveMail, number: number, now: number): SentMail {
  const { from, to, cc, replyTo, list, subject, text, file, daysAgo, padding } = mail;
  const header = [
    `From: ${from}`,
    `To: ${to}`,
    cc && `Cc: ${cc}`,
    replyTo && `Reply-To: ${replyTo}`,
    list && `List-Id: ${list}`,
    `Subject: n${number} ${subject}`,
    `Date: ${new Date(now - daysAgo * 86_400_000).toUTCString()}`,
    `Message-ID: <n${number}@naive.test>`,
    'MIME-Version: 1.0',
  ].filter((line) => line !== '');
  const body = `${text}\r\n${'.\r\n'.repeat(padding / 3)}`;
  const plain = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', body];
  const parts =
    file === null
      ? plain
      : [
          'Content-Type: multipart/mixed; boundary=x', '', '--x', ...plain, '--x',
          `Content-Disposition: attachment; filename="${file}"`, 'Content-Type: application/pdf', '', 'AAAA', '--x--', '',
        ]; // prettier-ignore
  return { ...mail, number, raw: Buffer.from([...header, ...parts].join('\r\n'), 'utf8') };
}

const words = fc.constantFrom(...VOCABULARY);
const FIELDS: readonly Field[] = ['from', 'to', 'cc', 'replyto', 'list', 'subject', 'filename'];
const TESTS: readonly (readonly [string, (mail: SentMail) => boolean])[] = [
  ['is:unread', ({ isUnread }) => isUnread],
  ['is:read', ({ isUnread }) => !isUnread],
  ['is:starred', ({ isStarred }) => isStarred],
  ['in:inbox', () => true],
  ['in:trash', () => false],
  ['has:attachment', ({ file }) => file !== null],
  ['newer_than:2m', ({ daysAgo }) => daysAgo < 61],
  ['older_than:1y', ({ daysAgo }) => daysAgo > 365],
  ['larger:2K', ({ raw }) => raw.length > 2048],
  ['smaller:2K', ({ raw }) => raw.length < 2048],
  ['rfc822msgid:n3@naive.test', ({ number }) => number === 3],
  ['account:test', () => true],
  ['account:nobody', () => false],
];

const leaf: fc.Arbitrary<Wanted> = fc.oneof(
  words.map(([typed, ...finds]): Wanted => ({ kind: 'words', field: null, typed, finds })),
  fc
    .tuple(fc.constantFrom(...FIELDS), words)
    .map(([field, [typed, ...finds]]): Wanted => ({ kind: 'words', field, typed, finds })),
  fc.constantFrom(...TESTS).map(([typed, holds]): Wanted => ({ kind: 'test', typed, holds })),
);

/** Any query. */
export const wantedTree: fc.Arbitrary<Wanted> = fc.letrec<{ node: Wanted }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .record({
        kind: fc.constantFrom('all' as const, 'any' as const, 'braces' as const),
        parts: fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      })
      .map((node): Wanted => node),
    tie('node').map((part): Wanted => ({ kind: 'not', part })),
  ),
})).node;

/** The query as it is typed. */
export function typedQuery(wanted: Wanted): string {
  switch (wanted.kind) {
    case 'all':
      return `(${wanted.parts.map(typedQuery).join(' ')})`;
    case 'any':
      return `(${wanted.parts.map(typedQuery).join(' OR ')})`;
    case 'braces':
      return `{${wanted.parts.map(typedQuery).join(' ')}}`;
    case 'not':
      // Two signs exclude like one.
      return wanted.part.kind === 'not' ? `-(${typedQuery(wanted.part)})` : `-${typedQuery(wanted.part)}`;
    case 'words':
      return wanted.field === null ? wanted.typed : `${wanted.field}:${wanted.typed}`;
    default:
      return wanted.typed;
  }
}

/** Whether words without an operator are excluded, which servers that may miss them cannot be asked for. */
export function excludesText(wanted: Wanted, isNegated = false): boolean {
  if (wanted.kind === 'not') return excludesText(wanted.part, !isNegated);
  if (wanted.kind === 'words') return isNegated && wanted.field === null;
  return wanted.kind !== 'test' && wanted.parts.some((part) => excludesText(part, isNegated));
}

/** Whether a message has a text, in header or body; fields are compared by `isIn`. */
export type FindText = (mail: SentMail, text: string) => boolean;

/** Whether a message is found. */
export function isFound(wanted: Wanted, mail: SentMail, findText: FindText): boolean {
  switch (wanted.kind) {
    case 'all':
      return wanted.parts.every((part) => isFound(part, mail, findText));
    case 'any':
    case 'braces':
      return wanted.parts.some((part) => isFound(part, mail, findText));
    case 'not':
      return !isFound(wanted.part, mail, findText);
    case 'test':
      return wanted.holds(mail);
    default: {
      const { field, finds } = wanted;
      return finds.some((text) => (field === null ? findText(mail, text) : isIn(fieldOf(mail, field), text)));
    }
  }
}

function fieldOf(mail: SentMail, field: Field): string {
  switch (field) {
    case 'replyto':
      return mail.replyTo || mail.from;
    case 'filename':
      return mail.file ?? '';
    case 'subject':
      return mail.subject;
    default:
      return mail[field];
  }
}

const withoutAccents = (text: string): string =>
  text.toLowerCase().replaceAll('ü', 'u').replaceAll('ö', 'o').replaceAll('ê', 'e');

/** Whether words stand one after the other in a text. */
export function isIn(text: string, wanted: string): boolean {
  const split = (value: string): string =>
    ` ${withoutAccents(value)
      .split(/[^a-z0-9ß]+/)
      .join(' ')} `;
  return split(text).includes(split(wanted));
}

/** Whether words stand anywhere in a message, as in the search of Gmail. */
export const hasWords: FindText = ({ subject, from, to, cc, file, text }, wanted) =>
  [subject, from, to, cc, file ?? '', text].some((field) => isIn(field, wanted));

/** Whether a message has words in header or body in any order, each perhaps in a longer word, as in SEARCH TEXT (RFC 3501 §6.4.4). */
export const hasParts: FindText = (mail, wanted) => {
  const all = mail.raw.toString('utf8').toLowerCase();
  return hasWords(mail, wanted) || wanted.split(' ').every((word) => all.includes(word));
};
