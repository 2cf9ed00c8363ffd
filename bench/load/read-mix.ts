import type { Random, Read, ReadableAccount } from './reads';

const DAY_MS = 86_400_000;
const SORTS = ['size', 'date'] as const;
const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const archive = ({ accountId }: ReadableAccount): string => `/api/archive/${accountId}`;
const mailbox = ({ accountId }: ReadableAccount): string => `/api/mailbox/${accountId}`;

const plain = (path: string) => (): string => path;

const ofMail =
  (suffix: string) =>
  (account: ReadableAccount, random: Random): string | null => {
    const mail = random.of(account.mails);
    return mail ? `${archive(account)}/mails/${mail.id}${suffix}` : null;
  };

const ofMessage =
  (suffix: string) =>
  (account: ReadableAccount, random: Random): string | null => {
    const id = random.of(account.messageIds);
    return id ? `${mailbox(account)}/messages/${id}${suffix}` : null;
  };

/**
 * What people with the application open ask for. `generated-mails.ts` says what the words and senders are; mails that
 * really came from the simulated provider are found by some of them, too.
 */
export const MIXED_READS: readonly Read[] = [
  {
    name: 'archive list',
    weight: 14,
    path: (account, random) => `${archive(account)}/mails?limit=50&page=${1 + random.below(5)}`,
  },
  {
    name: 'archive list, sender',
    weight: 3,
    path: (account, random) => `${archive(account)}/mails?sender=person${100 + random.below(400)}@`,
  },
  {
    name: 'archive list, dates',
    weight: 3,
    path: (account, random) => {
      const last = random.below(30);
      return `${archive(account)}/mails?from_date=${day(last + 7)}&to_date=${day(last)}`;
    },
  },
  {
    name: 'archive list, with attachments',
    weight: 2,
    path: (account) => `${archive(account)}/mails?has_attachments=true`,
  },
  {
    name: 'archive search, one word',
    weight: 6,
    path: (account, random) => `${archive(account)}/mails?q=w${20 + random.below(2_000)}`,
  },
  {
    name: 'archive search, two words',
    weight: 4,
    path: (account, random) =>
      `${archive(account)}/mails?q=w${5 + random.below(200)}+w${5 + random.below(50)}`,
  },
  {
    name: 'archive threads',
    weight: 5,
    path: (account, random) => `${archive(account)}/threads?page=${1 + random.below(3)}`,
  },
  {
    name: 'archive thread',
    weight: 3,
    path: (account, random) => {
      const mail = random.of(account.mails);
      return mail ? `${archive(account)}/threads/${encodeURIComponent(mail.threadId)}` : null;
    },
  },
  { name: 'archived mail', weight: 8, path: ofMail('') },
  { name: 'archived mail as HTML', weight: 3, path: ofMail('/safe-html') },
  { name: 'EML download', weight: 4, path: ofMail('/eml') },
  {
    name: 'archived attachments',
    weight: 4,
    path: ({ accountId }, random) => `/api/attachments/${accountId}/archived?sort=${random.of(SORTS)}`,
  },
  {
    name: 'archive statistics',
    weight: 4,
    path: ({ accountId }) => `/api/dashboard/${accountId}/archive-stats`,
  },
  { name: 'jobs', weight: 10, path: plain('/api/jobs?limit=20') },
  { name: 'jobs of an account', weight: 2, path: ({ accountId }) => `/api/jobs?accountId=${accountId}` },
  { name: 'notifications', weight: 8, path: plain('/api/notifications') },
  { name: 'notification preferences', weight: 1, path: plain('/api/notifications/preferences') },
  { name: 'current user', weight: 5, path: plain('/api/auth/me') },
  { name: 'saved searches', weight: 2, path: plain('/api/saved-searches') },
  { name: 'webhooks', weight: 1, path: plain('/api/webhooks') },
  { name: 'retention policies', weight: 1, path: plain('/api/retention') },
  { name: 'audit log', weight: 1, path: plain('/api/audit') },
  { name: 'rules', weight: 2, path: ({ accountId }) => `/api/rules/${accountId}` },
  { name: 'rule templates', weight: 1, path: plain('/api/rules/templates') },
  { name: 'quota', weight: 2, path: ({ accountId }) => `/api/quota/${accountId}` },
  { name: 'dashboard', weight: 3, path: ({ accountId }) => `/api/dashboard/${accountId}/stats` },
  { name: 'heatmap', weight: 2, path: ({ accountId }) => `/api/analytics/${accountId}/heatmap` },
  { name: 'sender scores', weight: 2, path: ({ accountId }) => `/api/analytics/${accountId}/sender-scores` },
  {
    name: 'cleanup suggestions',
    weight: 1,
    path: ({ accountId }) => `/api/analytics/${accountId}/cleanup-suggestions`,
  },
  { name: 'inbox zero', weight: 1, path: ({ accountId }) => `/api/analytics/${accountId}/inbox-zero` },
  { name: 'newsletters', weight: 1, path: ({ accountId }) => `/api/unsubscribe/${accountId}/newsletters` },
  { name: 'trackers', weight: 1, path: ({ accountId }) => `/api/privacy/${accountId}/tracking` },
  { name: 'personal data', weight: 1, path: ({ accountId }) => `/api/privacy/${accountId}/pii` },
  { name: 'labels', weight: 4, path: (account) => `${mailbox(account)}/labels` },
  { name: 'message list', weight: 4, path: (account) => `${mailbox(account)}/messages?maxResults=50` },
  { name: 'message', weight: 3, path: ofMessage('') },
  { name: 'full message', weight: 2, path: ofMessage('/full') },
  { name: 'profile', weight: 2, path: (account) => `${mailbox(account)}/profile` },
];

const TOTAL_WEIGHT = MIXED_READS.reduce((sum, { weight }) => sum + weight, 0);

/** Picks the next request of a reader of the account. */
export function nextRead(account: ReadableAccount, random: Random): { name: string; path: string } {
  for (;;) {
    let at = random.next() * TOTAL_WEIGHT;
    const read = MIXED_READS.find(({ weight }) => (at -= weight) < 0);
    const path = read?.path(account, random);
    if (read && path) return { name: read.name, path };
  }
}
