/** One way to ask for a list, varied from request to request so that no answer is a repetition. */
export interface Listing {
  readonly name: string;
  /** Filters of the n-th request in an archive of `size` mails that is `size` minutes old. */
  readonly filters: (n: number, size: number) => Readonly<Record<string, string>>;
  /** p95 in milliseconds by size of the archive; none: the figure is printed without a verdict. */
  readonly budget?: Readonly<Record<number, number>>;
  readonly requests?: number;
  /** Sorted: threads have one order. */
  readonly isOfMails?: boolean;
}

const day = (n: number): string => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10);

const selective = { 20_000: 10, 200_000: 20, 1_000_000: 20 };
const common = { 20_000: 100, 200_000: 100, 1_000_000: 150 };

/** Every filter alone, and those that people combine. Words are Zipf: `w<n>` is some n times rarer than `w1`. */
export const LISTINGS: readonly Listing[] = [
  { name: 'no filter', filters: () => ({}), budget: selective },
  { name: 'sender', filters: (n) => ({ sender: `person${100 + n}@` }), budget: selective },
  { name: 'frequent sender', filters: (n) => ({ sender: `person${1 + (n % 3)} ` }), requests: 20 },
  { name: 'part of every sender', filters: () => ({ sender: 'example.com' }), requests: 20 },
  {
    name: 'one week',
    filters: (n, size) => {
      const last = (n * 7) % Math.max(8, Math.floor(size / 1440) - 8);
      return { from_date: day(last + 7), to_date: day(last + 1) };
    },
    budget: selective,
  },
  {
    name: 'older than a month',
    filters: (n) => ({ to_date: day(10 + (n % 20)) }),
    requests: 20,
  },
  { name: 'with attachments', filters: () => ({ has_attachments: 'true' }), budget: selective },
  // In quotes: the last word would otherwise stand for every word that begins with it.
  {
    name: 'unique word',
    filters: (n, size) => ({ q: `"mail${1 + ((n * 7919) % size)}"` }),
    budget: selective,
  },
  {
    name: 'two words',
    filters: (n) => ({ q: `w${300 + n} "w${40 + (n % 50)}"` }),
    budget: { 20_000: 10, 200_000: 20, 1_000_000: 50 },
  },
  // Totals are remembered: what is excluded makes each search another one.
  {
    name: 'common word',
    filters: (n) => ({ q: `"w${3 + (n % 5)}" -"mail${n + 1}"` }),
    budget: common,
    requests: 20,
  },
  { name: 'common word, again', filters: () => ({ q: '"w3"' }), budget: selective, requests: 20 },
  {
    name: 'phrase',
    filters: (n) => ({ q: `"w${300 + n} w${40 + (n % 50)}"` }),
    budget: { 20_000: 20, 200_000: 50, 1_000_000: 150 },
    requests: 20,
  },
  {
    name: 'phrase of words that most mails have',
    filters: (n) => ({ q: `"w${30 + n} w${3 + (n % 5)}"` }),
    requests: 20,
  },
  {
    name: 'sender as a term',
    filters: (n) => ({ q: `from:person${100 + n}` }),
    budget: { 20_000: 10, 200_000: 20, 1_000_000: 50 },
  },
  {
    name: 'three words with OR and NOT',
    filters: (n) => ({ q: `("w${300 + n}" OR "w${250 + n}") -"w${40 + n}"` }),
    budget: { 20_000: 20, 200_000: 50, 1_000_000: 200 },
    requests: 20,
  },
  { name: 'word or label', filters: (n) => ({ q: `{"w${300 + n}" label:label_${n}}` }), requests: 20 },
  { name: 'word or date', filters: (n) => ({ q: `{"w${300 + n}" before:${day(600 - n)}}` }), requests: 20 },
  { name: 'word or size', filters: (n) => ({ q: `{"w${300 + n}" larger:${70 + (n % 8)}K}` }), requests: 20 },
  { name: 'word or file', filters: (n) => ({ q: `{"w${300 + n}" file:w${500 + n}}` }), requests: 20 },
  {
    name: 'word, by size',
    filters: (n) => ({ q: `"w${200 + n}"`, sort: 'size', order: 'desc' }),
    budget: { 20_000: 20, 200_000: 50, 1_000_000: 150 },
    requests: 20,
    isOfMails: true,
  },
  {
    name: 'sender, by subject',
    filters: (n) => ({ q: `from:person${100 + n}`, sort: 'subject', order: 'asc' }),
    budget: { 20_000: 20, 200_000: 50, 1_000_000: 150 },
    requests: 20,
    isOfMails: true,
  },
  {
    name: 'with attachments, by size',
    filters: () => ({ has_attachments: 'true', sort: 'size', order: 'desc' }),
    budget: { 20_000: 20, 200_000: 50, 1_000_000: 150 },
    requests: 20,
    isOfMails: true,
  },
  {
    name: 'with attachments and larger, by sender',
    filters: (n) => ({ q: `has:attachment larger:${20 + n}K`, sort: 'sender', order: 'asc' }),
    requests: 20,
    isOfMails: true,
  },
  { name: 'prefix', filters: (n) => ({ q: `w${150 + n}` }), requests: 20 },
  { name: 'negative', filters: (n) => ({ q: `"w${300 + n}" -w${2 + (n % 5)}` }), requests: 20 },
  { name: 'only negative', filters: (n) => ({ q: `-w${2 + (n % 5)}` }), requests: 5 },
  {
    name: 'word and sender',
    filters: (n) => ({ q: `"w${20 + n}"`, sender: `person${100 + n}@` }),
    requests: 20,
  },
  {
    name: 'common word, one week',
    filters: (n, size) => {
      const last = (n * 7) % Math.max(8, Math.floor(size / 1440) - 8);
      return { q: `"w${3 + (n % 5)}"`, from_date: day(last + 7), to_date: day(last + 1) };
    },
    requests: 20,
  },
  {
    name: 'word with attachments',
    filters: (n) => ({ q: `"w${300 + n}"`, has_attachments: 'true' }),
    requests: 20,
  },
];

/** A page of a result, in the terms of the figures. */
export interface Place {
  readonly name: string;
  /** The page of a list of `total`, or null when the list has none such. */
  readonly page: (total: number) => number | null;
}

export const PAGE_SIZE = 50;
const pages = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

export const PLACES: readonly Place[] = [
  { name: 'first page', page: () => 1 },
  { name: 'page 5,000', page: (total) => (pages(total) > 5_000 ? 5_000 : null) },
  { name: 'middle', page: (total) => (pages(total) > 20 ? Math.floor(pages(total) / 2) : null) },
  { name: 'last page', page: (total) => (pages(total) > 20 ? pages(total) : null) },
];
