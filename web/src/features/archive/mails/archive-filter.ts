import type { Arguments } from '@mailroom/sdk';

/** Filter of the archive, in the form of the service's parameters. */
export type ArchiveFilter = Omit<
  Arguments<'archive.listMails'>,
  'accountId' | 'page' | 'limit' | 'sort' | 'order' | 'archived_until'
>;

export interface ArchiveOrder {
  readonly sort?: 'date' | 'size' | 'sender' | 'subject';
  readonly order?: 'asc' | 'desc';
}

/** The part of the address that says which mails are shown. */
export interface ArchiveConditions {
  readonly q?: string;
  readonly sender?: string;
  readonly recipient?: string;
  readonly label?: string;
  /** Days of the person, `2024-02-29`, inclusive. */
  readonly after?: string;
  readonly before?: string;
  /** `2024-02`, in UTC as the service counts months. */
  readonly month?: string;
  /** Bytes. */
  readonly min?: number;
  readonly max?: number;
  readonly files?: boolean;
  readonly encrypted?: boolean;
  /** Whether the mailbox has it no longer. */
  readonly only?: boolean;
}

/** Everything of an address that is a condition, to take it away or to name a list by it. */
export const NO_CONDITIONS = {
  q: undefined,
  sender: undefined,
  recipient: undefined,
  label: undefined,
  after: undefined,
  before: undefined,
  month: undefined,
  min: undefined,
  max: undefined,
  files: undefined,
  encrypted: undefined,
  only: undefined,
} satisfies { [Name in keyof Required<ArchiveConditions>]: undefined };

const NAMES = Object.keys(NO_CONDITIONS) as (keyof ArchiveConditions)[];

export const conditionsIn = (search: ArchiveConditions): ArchiveConditions =>
  Object.fromEntries(NAMES.map((name) => [name, search[name]]));

export const hasConditions = (search: ArchiveConditions): boolean =>
  NAMES.some((name) => search[name] !== undefined);

/** A bare date would be a day in UTC: the person's own days are sent as instants. */
export function filterOf(conditions: ArchiveConditions): ArchiveFilter {
  const { q, sender, recipient, label, after, before, month, min, max, files, encrypted, only } = conditions;
  const days = month === undefined ? null : daysOf(month);
  const filter: ArchiveFilter = {
    q,
    sender,
    recipient,
    label,
    from_date: findLatest(after && new Date(`${after}T00:00:00`), days?.first),
    to_date: findEarliest(before && new Date(`${before}T23:59:59.999`), days?.last),
    min_size: min,
    max_size: max,
    has_attachments: files,
    encrypted,
    only_in_archive: only,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** The first and the last instant of a month as the service counts it. */
function daysOf(month: string): { readonly first: Date; readonly last: Date } {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { first: new Date(Date.UTC(year, number - 1)), last: new Date(Date.UTC(year, number) - 1) };
}

type Bound = Date | '' | undefined;

const findLatest = (...bounds: Bound[]): string | undefined => sortBounds(bounds).at(-1)?.toISOString();
const findEarliest = (...bounds: Bound[]): string | undefined => sortBounds(bounds)[0]?.toISOString();

const sortBounds = (bounds: readonly Bound[]): Date[] =>
  bounds.filter((bound) => bound instanceof Date).sort((one, other) => one.getTime() - other.getTime());
