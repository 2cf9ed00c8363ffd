import { type IndexedWords, indexWords } from './search/search-vector';

/**
 * The ways in which copied mail arrives: `message`, as it was sent; `report`, inside a journal report of Exchange that was unwrapped;
 * `unreadable-report`, as a report that could not be unwrapped and is archived as it came.
 */
export const ENVELOPE_KINDS = ['message', 'report', 'unreadable-report'] as const;
export type EnvelopeKind = (typeof ENVELOPE_KINDS)[number];

/** Sender and recipients of a message that was copied to Mailroom, beyond what its header says. See ADR 114. */
export interface MailEnvelope {
  readonly kind: EnvelopeKind;
  /** Address of the sender; null: none, as of bounces, or not known. */
  readonly sender: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Blind copies, which the header of the message does not show. */
  readonly bcc: readonly string[];
  /** Recipients of whom the envelope does not say which kind they are. */
  readonly recipients: readonly string[];
}

/** Most recipients of each kind that are kept. */
const MAX_RECIPIENTS = 2_000;
/** Most addresses that can be found by searching. */
const MAX_SEARCHABLE = 1_000;

/** Reports come first: they know most. */
const BEST_FIRST: readonly EnvelopeKind[] = ['report', 'message', 'unreadable-report'];

/** Joins addresses, without those that differ in upper and lower case only. */
export function uniteAddresses(...lists: readonly (readonly string[])[]): string[] {
  const united = new Map<string, string>();
  for (const address of lists.flat()) {
    const key = address.toLowerCase();
    if (!united.has(key) && united.size < MAX_RECIPIENTS) united.set(key, address);
  }
  return [...united.values()];
}

/** Joins the envelopes of a message that came several times, as it does for each group of its recipients. */
export function mergeEnvelopes(first: MailEnvelope, second: MailEnvelope): MailEnvelope {
  const kind = BEST_FIRST.find((known) => [first.kind, second.kind].includes(known)) as EnvelopeKind;
  return {
    kind,
    sender: first.sender ?? second.sender,
    to: uniteAddresses(first.to, second.to),
    cc: uniteAddresses(first.cc, second.cc),
    bcc: uniteAddresses(first.bcc, second.bcc),
    recipients: uniteAddresses(first.recipients, second.recipients),
  };
}

/** Whether two envelopes say the same. */
export const isSameEnvelope = (one: MailEnvelope, other: MailEnvelope): boolean =>
  JSON.stringify(fieldsOf(one)) === JSON.stringify(fieldsOf(other));

/** jsonb does not keep the order of its fields. */
const fieldsOf = ({ kind, sender, to, cc, bcc, recipients }: MailEnvelope): unknown[] => [
  kind,
  sender,
  to,
  cc,
  bcc,
  recipients,
];

/** The words of an envelope: its addresses are found like those of the header, those of a kind by that field. */
export function envelopeWords({ to, cc, bcc, recipients }: MailEnvelope): IndexedWords {
  const addresses = uniteAddresses(bcc, recipients, to, cc).slice(0, MAX_SEARCHABLE);
  return indexWords({
    subject: '',
    sender: '',
    recipients: addresses.join(' '),
    attachmentNames: [],
    text: '',
    fields: [
      { field: 'to', text: searchableOf(to) },
      { field: 'cc', text: searchableOf(cc) },
      { field: 'bcc', text: searchableOf(bcc) },
    ],
  });
}

const searchableOf = (addresses: readonly string[]): string => addresses.slice(0, MAX_SEARCHABLE).join(', ');
