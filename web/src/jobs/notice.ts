import type { Schemas } from '@mailroom/sdk';
import { hasText, i18next } from '../i18n';
import { formatBytes, formatDay, formatPercent, formatShortDate } from '../i18n/format';
import { senderName } from '../ui/sender';
import type { en } from '../i18n/en';
import { failureText } from './job-failure';
import { isNamedKind } from './kinds';

type Notice = Pick<Schemas['NotificationResponse'], 'type' | 'title' | 'body' | 'data'>;
type Data = Notice['data'];

interface NoticeText {
  readonly title: string;
  readonly body: string;
}

const WITHOUT_ITEMS = {
  delete_mailbox_data: 'notices.mailboxDeleted',
  delete_user: 'notices.userDeleted',
} as const;

const DAY_MS = 86_400_000;

/**
 * Says what has happened in the language of the page, from the kind and the data of a notification. What is not known here,
 * or lacks a part of its data, is said in the words of the service. The texts of `notices` have to be loaded.
 */
export function noticeText(notice: Notice): NoticeText {
  const { type, title, body, data } = notice;
  return textOf(type, data) ?? { title, body };
}

/** The texts of each kind. Exhaustive by its type: a kind without a text does not compile. */
const TEXTS: { readonly [T in Notice['type']]: (data: Data) => NoticeText | null } = {
  job_completed: jobCompleted,
  job_failed: jobFailed,
  rule_executed: ruleExecuted,
  quota_warning: quotaWarning,
  integrity_alert: (data) =>
    integrityFailed(data) ?? backupRestored(data) ?? archivingUnhealthy(data) ?? archivingRecovered(data),
  weekly_report: weeklyReport,
};

// The service can be newer than a page that has been open for long.
const textOf = (type: Notice['type'], data: Data): NoticeText | null =>
  Object.hasOwn(TEXTS, type) ? TEXTS[type](data) : null;

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
const joinSentences = (...parts: readonly (string | false)[]): string => parts.filter(Boolean).join(' ');

function jobName({ type, trialRun }: Data): string | null {
  if (!isText(type) || !isNamedKind(type)) return null;
  return i18next.t(trialRun === true && type === 'restore_mails' ? 'jobs.trialRun' : `jobs.kinds.${type}`);
}

function jobCompleted(data: Data): NoticeText | null {
  const { type, total, processed, failed, trialRun } = data;
  const job = jobName(data);
  if (job === null || !isNumber(total) || !isNumber(processed) || !isNumber(failed)) return null;
  const title = i18next.t('notices.jobDone', { job });
  if (trialRun === true) return { title, body: i18next.t('notices.lookedAt', { count: processed }) };
  if (total + processed + failed > 0)
    return {
      title,
      body: joinSentences(
        processedText(processed, total),
        failed > 0 && i18next.t('notices.failures', { count: failed }),
      ),
    };
  const own = Object.entries(WITHOUT_ITEMS).find(([kind]) => kind === type)?.[1];
  return { title, body: i18next.t(own ?? 'notices.nothing') };
}

const processedText = (done: number, total: number): string =>
  done >= total
    ? i18next.t('notices.processed', { count: done })
    : i18next.t('notices.processedOf', { done, count: total });

function jobFailed(data: Data): NoticeText | null {
  const { total, processed, error, trialRun } = data;
  const job = jobName(data);
  if (job === null || !isNumber(total) || !isNumber(processed)) return null;
  return {
    title: i18next.t('notices.jobFailed', { job }),
    body: joinSentences(
      isText(error) && error !== '' ? failureText(error, data['errorCode']) : i18next.t('notices.noReason'),
      trialRun === true ? i18next.t('notices.unchanged') : processed > 0 && processedText(processed, total),
    ),
  };
}

function ruleExecuted({ name, action, matched }: Data): NoticeText | null {
  if (!isText(name) || !isText(action) || !isNumber(matched)) return null;
  const done = actionName(action);
  if (done === null) return null;
  return {
    title: i18next.t('notices.rule', { name }),
    body:
      matched === 0
        ? i18next.t('notices.ruleNone')
        : i18next.t('notices.ruleBody', { count: matched, action: done }),
  };
}

function actionName(action: string): string | null {
  if (action === 'archive_nas') return i18next.t('jobs.kinds.archive_mails');
  const known = (name: string): name is keyof typeof en.jobs.actions => hasText(`jobs.actions.${name}`);
  return known(action) ? i18next.t(`jobs.actions.${action}`) : null;
}

function quotaWarning({ usedBytes, quotaBytes, percent }: Data): NoticeText | null {
  if (!isNumber(usedBytes) || !isNumber(quotaBytes) || !isNumber(percent)) return null;
  const isFull = percent >= 100;
  return {
    title: isFull
      ? i18next.t('notices.full')
      : i18next.t('notices.nearlyFull', { percent: formatPercent(percent / 100) }),
    body: joinSentences(
      i18next.t('notices.used', { used: formatBytes(usedBytes), quota: formatBytes(quotaBytes) }),
      isFull && i18next.t('notices.noMore'),
    ),
  };
}

function integrityFailed({ checked, missing, altered }: Data): NoticeText | null {
  if (!isNumber(checked) || !isNumber(missing) || !isNumber(altered)) return null;
  return {
    title: i18next.t('notices.damaged'),
    body: joinSentences(
      missing > 0 && i18next.t('notices.missing', { count: missing }),
      altered > 0 && i18next.t('notices.altered', { count: altered }),
      i18next.t('notices.checked', { count: checked }),
    ),
  };
}

function backupRestored({ backupAt, keptMails, keptOfAll }: Data): NoticeText | null {
  if (!isText(backupAt) || !isNumber(keptMails)) return null;
  return {
    title: i18next.t('notices.restored'),
    body: joinSentences(
      i18next.t('notices.restoredFrom', { time: formatShortDate(backupAt) }),
      keptMails > 0 && i18next.t('notices.kept', { count: keptMails }),
      isNumber(keptOfAll) && keptOfAll > 0 && i18next.t('notices.keptOfAll', { count: keptOfAll }),
    ),
  };
}

function archivingUnhealthy({ state, reason, since, pending, watchOnly }: Data): NoticeText | null {
  if (!isText(state) || !isText(since) || !isNumber(pending)) return null;
  const isWatched = watchOnly === true;
  const isBehind = state === 'behind';
  const cause = isBehind ? (isText(reason) ? reason : 'backlog') : state;
  const why =
    isWatched && (cause === 'backlog' || cause === 'store' || cause === 'first-fill') ? 'unseen' : cause;
  if (!isCause(why)) return null;
  const titles = isWatched ? (['watchBehind', 'watchStopped'] as const) : (['behind', 'stopped'] as const);
  return {
    title: i18next.t(`notices.${titles[isBehind ? 0 : 1]}`),
    body: joinSentences(
      i18next.t('notices.since', { time: formatShortDate(since), why: i18next.t(`notices.why.${why}`) }),
      !isWatched && pending > 0 && i18next.t('notices.waiting', { count: pending }),
    ),
  };
}

const CAUSES = [
  'needs_reconnection',
  'quota_full',
  'first-fill',
  'backlog',
  'provider',
  'store',
  'history-lost',
  'incomplete',
  'unseen',
] as const;
const isCause = (cause: string): cause is (typeof CAUSES)[number] => CAUSES.some((known) => known === cause);

function archivingRecovered({ state, since }: Data): NoticeText | null {
  if (state !== undefined || !isText(since)) return null;
  return {
    title: i18next.t('notices.recovered'),
    body: i18next.t('notices.recoveredSince', { time: formatShortDate(since) }),
  };
}

function weeklyReport(data: Data): NoticeText | null {
  const { from, to, archivedMails, archivedBytes, jobsCompleted, jobsFailed, rulesRun, topSenders } = data;
  const { storageUsedBytes: used, storageQuotaBytes: quota } = data;
  if (!isText(from) || !isText(to) || !isNumber(used) || !isNumber(quota) || !isNumber(archivedBytes))
    return null;
  const counted = (
    name: 'archived' | 'jobsDone' | 'jobsFailed' | 'rules',
    count: unknown,
  ): readonly string[] =>
    isNumber(count) && count > 0
      ? [i18next.t(`notices.${name}`, { count, size: formatBytes(archivedBytes) })]
      : [];
  const facts = [
    ...counted('archived', archivedMails),
    ...counted('jobsDone', jobsCompleted),
    ...counted('jobsFailed', jobsFailed),
    ...counted('rules', rulesRun),
  ].join(', ');
  // Both days inclusive.
  const lastDay = new Date(Date.parse(to) - DAY_MS).toISOString();
  const days = { from: formatDay(from.slice(0, 10)), to: formatDay(lastDay.slice(0, 10)) };
  const senders = Array.isArray(topSenders)
    ? (topSenders as readonly { sender: string; count: number }[])
        .map(({ sender, count }) => `${senderName(sender)} (${count})`)
        .join(', ')
    : '';
  return {
    title: i18next.t('notices.week'),
    body:
      facts === ''
        ? i18next.t('notices.quiet', days)
        : joinSentences(
            i18next.t('notices.days', { ...days, facts }),
            senders !== '' && i18next.t('notices.senders', { senders }),
            i18next.t('notices.used', { used: formatBytes(used), quota: formatBytes(quota) }),
          ),
  };
}
