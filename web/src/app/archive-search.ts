import type { ArchiveConditions } from '../features/archive/mails/archive-filter';
import { parseText } from './search-parameters';

type Raw = Readonly<Record<string, unknown>>;

const SORTS = ['date', 'size', 'sender', 'subject'] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** State of the archive page: a search with its filters, an order, and the mail that is open. */
export interface ArchiveSearch extends ArchiveConditions {
  /** The newest first without it. */
  readonly sort?: (typeof SORTS)[number];
  /** From the other end. */
  readonly up?: true;
  /** Conversations instead of single mails. */
  readonly view?: 'threads';
  readonly thread?: string;
  readonly mail?: string;
}

/** The address is also typed by hand: what makes no sense in it is left out. */
export const archiveSearch = (raw: Raw): ArchiveSearch => ({
  q: parseText(raw['q']),
  sender: parseText(raw['sender']),
  recipient: parseText(raw['recipient']),
  label: parseText(raw['label']),
  after: parseDay(raw['after']),
  before: parseDay(raw['before']),
  month: typeof raw['month'] === 'string' && MONTH.test(raw['month']) ? raw['month'] : undefined,
  min: bytes(raw['min']),
  max: bytes(raw['max']),
  files: yesOrNo(raw['files']),
  encrypted: yesOrNo(raw['encrypted']),
  only: yesOrNo(raw['only']),
  sort: SORTS.find((sort) => sort === raw['sort']),
  up: raw['up'] === true ? true : undefined,
  view: raw['view'] === 'threads' ? 'threads' : undefined,
  thread: parseText(raw['thread']),
  mail: parseText(raw['mail']),
});

const parseDay = (value: unknown): string | undefined =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

const bytes = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const yesOrNo = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);
