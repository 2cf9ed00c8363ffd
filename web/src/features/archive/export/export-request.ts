import type { Arguments } from '@mailroom/sdk';

/** Values of the form. */
export type ExportForm = {
  readonly scope: 'all' | 'some';
  readonly words: string;
  readonly sender: string;
  readonly recipient: string;
  /** Day in the format of browsers, `2024-02-29`; empty: none. */
  readonly from: string;
  readonly to: string;
  readonly attachments: boolean;
  readonly format: 'zip' | 'mbox';
  readonly compress: boolean;
  readonly passphrase: string;
};

export const BLANK: ExportForm = {
  scope: 'all',
  words: '',
  sender: '',
  recipient: '',
  from: '',
  to: '',
  attachments: false,
  format: 'zip',
  compress: false,
  passphrase: '',
};

/** Fields of the form, by those of the request. */
export const FIELDS = {
  'filter.q': 'words',
  'filter.sender': 'sender',
  'filter.recipient': 'recipient',
  'filter.from_date': 'from',
  'filter.to_date': 'to',
  'filter.has_attachments': 'attachments',
} as const;

export type Filter = Omit<Arguments<'archive.getFacets'>, 'accountId'>;

/** Largest number of mails of each format. */
const MOST = { zip: 10_000, mbox: 50_000 } as const;

/** The filter of a form; without conditions it is the whole archive. */
export function filterOf({ scope, words, sender, recipient, from, to, attachments }: ExportForm): Filter {
  if (scope === 'all') return {};
  const filter: Filter = {
    q: words.trim() || undefined,
    sender: sender.trim() || undefined,
    recipient: recipient.trim() || undefined,
    from_date: instantOf(from, 0),
    to_date: instantOf(to, 1),
    has_attachments: attachments || undefined,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** The most messages of such an export; any number for an mbox file of everything. */
export function mostOf(form: ExportForm): number {
  const isEverything = Object.keys(filterOf(form)).length === 0;
  return form.format === 'mbox' && isEverything ? Infinity : MOST[form.format];
}

/**
 * The beginning of a day of the person's, or the last moment of it: to the service a bare date is a day in UTC.
 * @param days 1 for the end of the day
 */
function instantOf(day: string, days: 0 | 1): string | undefined {
  if (day === '') return undefined;
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const instant = new Date(year, month - 1, date + days);
  return new Date(instant.getTime() - days).toISOString();
}
