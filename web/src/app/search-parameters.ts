/** The sign-in page: where to go on afterwards, and what single sign-on said. */
export interface LoginSearch {
  readonly next?: string;
  readonly error?: string;
}

type Raw = Readonly<Record<string, unknown>>;

/** The router reads `?q=2024` as a number, and `?q=true` as a yes. */
export function parseText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Only addresses of this page: another one could be a trap. */
const ownAddress = (value: unknown): string | undefined => {
  const address = parseText(value);
  return address !== undefined && /^\/(?![/\\])/.test(address) ? address : undefined;
};

export const loginSearch = (raw: Raw): LoginSearch => ({
  next: ownAddress(raw['next']),
  error: parseText(raw['error']),
});

/** Result of the provider's consent, or of a visit to the identity provider, which is shown on another page. */
export interface SettingsSearch extends SecuritySearch {
  readonly mailbox?: 'connected' | 'error';
  readonly account?: string;
  /** A mailbox whose new password is asked for. */
  readonly reconnect?: string;
}

/** Result of linking the identity provider. */
export interface SecuritySearch {
  readonly oidc?: 'linked' | 'error';
  readonly code?: string;
}

export const securitySearch = (raw: Raw): SecuritySearch => ({
  oidc: raw['oidc'] === 'linked' || raw['oidc'] === 'error' ? raw['oidc'] : undefined,
  code: parseText(raw['code']),
});

export const settingsSearch = (raw: Raw): SettingsSearch => ({
  mailbox: raw['mailbox'] === 'connected' || raw['mailbox'] === 'error' ? raw['mailbox'] : undefined,
  ...securitySearch(raw),
  account: parseText(raw['account']),
  reconnect: parseText(raw['reconnect']),
});

/** State of the mailbox page: a search, and the message that is open. */
export interface MailboxSearch {
  readonly q?: string;
  readonly message?: string;
}

export const mailboxSearch = (raw: Raw): MailboxSearch => ({
  q: parseText(raw['q']),
  message: parseText(raw['message']),
});

/** Order of the senders of a mailbox. */
export interface SpaceSearch {
  readonly by?: 'clutter';
}

export const spaceSearch = (raw: Raw): SpaceSearch => ({
  by: raw['by'] === 'clutter' ? 'clutter' : undefined,
});

/** Order of the senders of the insights; by the number of their messages without it. */
export interface InsightsSearch {
  readonly by?: 'read' | 'clutter';
}

export const insightsSearch = (raw: Raw): InsightsSearch => ({
  by: raw['by'] === 'read' || raw['by'] === 'clutter' ? raw['by'] : undefined,
});

/** The part of the bar whose messages are listed, and the restore that is open. */
export interface KeepSearch {
  readonly part?: 'verified' | 'archived' | 'pending' | 'excluded' | 'failed';
  readonly restore?: string;
}

const PARTS = ['verified', 'archived', 'pending', 'excluded', 'failed'] as const;

export const keepSearch = (raw: Raw): KeepSearch => ({
  part: PARTS.find((part) => part === raw['part']),
  restore: parseMatching(raw['restore'], UUID),
});

/** State of the search in all mailboxes and archives. */
export interface SearchSearch {
  readonly q?: string;
  /** Mailboxes and archives without it. */
  readonly place?: 'mailbox' | 'archive';
  /** One mailbox with its archive; all without it. */
  readonly account?: string;
  /** The newest first without it. */
  readonly sort?: 'relevance';
  /** From 1, which is left out. */
  readonly page?: number;
  /** Name of the file whose mails are searched for, by its hash. */
  readonly file?: string;
}

export const searchSearch = (raw: Raw): SearchSearch => ({
  q: parseText(raw['q']),
  place: raw['place'] === 'mailbox' || raw['place'] === 'archive' ? raw['place'] : undefined,
  account: parseMatching(raw['account'], UUID),
  sort: raw['sort'] === 'relevance' ? 'relevance' : undefined,
  page: parsePage(raw['page']),
  file: parseText(raw['file']),
});

/** Which files of the archive are listed; the largest first without an order. */
export interface AttachmentsSearch {
  readonly q?: string;
  readonly sort?: 'date';
  /** From the other end. */
  readonly up?: true;
  /** From 1, which is left out. */
  readonly page?: number;
}

export const attachmentsSearch = (raw: Raw): AttachmentsSearch => ({
  q: parseText(raw['q']),
  sort: raw['sort'] === 'date' ? 'date' : undefined,
  up: raw['up'] === true ? true : undefined,
  page: parsePage(raw['page']),
});

/** Class of the index whose messages or files are listed. */
export interface IndexSearch {
  readonly files?: true;
  readonly state?: string;
  /** From 1, which is left out. */
  readonly page?: number;
}

export const indexSearch = (raw: Raw): IndexSearch => ({
  files: raw['files'] === true ? true : undefined,
  state: parseText(raw['state']),
  page: parsePage(raw['page']),
});

/** The part of a page that is shown. */
interface TabSearch<Tab extends string> {
  readonly tab?: Tab;
}

const tabOf =
  <Tab extends string>(...tabs: readonly Tab[]) =>
  (raw: Raw): TabSearch<Tab> => ({ tab: tabs.find((tab) => tab === raw['tab']) });

export const privacySearch = tabOf('tracking', 'pii', 'encryption');
export const adminSearch = tabOf('users', 'jobs', 'audit');

const JOB_STATUSES = ['active', 'pending', 'completed', 'failed', 'cancelled'] as const;

/** Which jobs are listed. */
export interface JobsSearch {
  readonly status?: (typeof JOB_STATUSES)[number];
  /** A kind of jobs. */
  readonly type?: string;
  /** A mailbox. */
  readonly account?: string;
}

const KIND = /^[a-z][a-z0-9_]{0,63}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const jobsSearch = (raw: Raw): JobsSearch => ({
  status: JOB_STATUSES.find((status) => status === raw['status']),
  type: parseMatching(raw['type'], KIND),
  account: parseMatching(raw['account'], UUID),
});

const parseMatching = (value: unknown, pattern: RegExp): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

const parsePage = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 1 ? value : undefined;
