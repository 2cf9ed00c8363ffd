import type {
  ArchivingRecovered,
  ArchivingUnhealthy,
  IntegrityFailed,
  JobCompleted,
  JobFailed,
  MailroomEvent,
  QuotaWarning,
  RuleExecuted,
  WeeklyReport,
} from '../../platform/events/events';
import type { NotificationCategory } from './notification.entity';

/** Plain text, in English. */
export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

interface JobKind {
  /** Name of the kind at the beginning of a title. */
  readonly name: string;
  /** Unit of its counts. */
  readonly items: readonly [singular: string, plural: string];
  /** Body of a completed job that had no items; by default, that there was nothing to do. */
  readonly withoutItems?: string;
  /** Name of its trial runs at the beginning of a title. */
  readonly trialRun?: string;
}

const MESSAGES = ['message', 'messages'] as const;
const MAILS = ['mail', 'mails'] as const;
const ITEMS = ['item', 'items'] as const;

/** Kinds whose wire name makes no good title. */
const JOB_KINDS: Readonly<Record<string, JobKind>> = {
  bulk_operation: { name: 'Bulk operation', items: MESSAGES },
  undo_changes: { name: 'Undo', items: MESSAGES },
  archive_mails: { name: 'Archiving', items: MESSAGES },
  keep_copies: { name: 'Continuous archiving', items: MESSAGES },
  reconcile_mailbox: { name: 'Comparison with the mailbox', items: MESSAGES },
  plan_offload: { name: 'Offload plan', items: MESSAGES },
  offload_messages: { name: 'Offload', items: MESSAGES },
  import_mbox: { name: 'Import from a file', items: MESSAGES },
  import_imap: { name: 'IMAP import', items: MESSAGES },
  restore_mails: { name: 'Restore', items: MAILS, trialRun: 'Trial run of a restore' },
  scan_tracking: { name: 'Tracking scan', items: MESSAGES },
  scan_pii: { name: 'Personal data scan', items: MAILS },
  scan_unsubscribe: { name: 'Newsletter scan', items: MESSAGES },
  encrypt_archives: { name: 'Archive encryption', items: MAILS },
  run_rule: { name: 'Rule run', items: MESSAGES },
  check_integrity: { name: 'Integrity check', items: MAILS },
  run_retention: { name: 'Retention run', items: MAILS },
  delete_archived_mails: { name: 'Deletion of archived mail', items: MAILS },
  delete_mailbox_data: {
    name: "Deletion of a disconnected mailbox's data",
    items: ITEMS,
    withoutItems: 'What was read from the mailbox is deleted; its archive stays.',
  },
  purge_account: { name: 'Account deletion', items: MAILS },
  delete_user: {
    name: 'User deletion',
    items: MAILS,
    withoutItems: 'The user and all their data are deleted.',
  },
};

/** Names of rule actions in texts. */
const ACTIONS: Readonly<Record<string, string>> = {
  trash: 'move to trash',
  delete: 'delete permanently',
  label: 'add a label',
  unlabel: 'remove a label',
  archive: 'archive',
  archive_nas: 'copy to the archive',
  mark_read: 'mark as read',
  mark_unread: 'mark as unread',
};

const formatNumber = (count: number): string => count.toLocaleString('en-US');

const formatCount = (count: number, [singular, plural]: JobKind['items']): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;

/** The text in one line, without characters that a terminal or a notification centre might interpret. */
const toPlainLine = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

const wordsOf = (wireName: string): string => wireName.replaceAll('_', ' ');

function kindOf(type: string): JobKind {
  const known = Object.hasOwn(JOB_KINDS, type) ? JOB_KINDS[type] : undefined;
  if (known) return known;
  const name = wordsOf(type);
  return { name: name.charAt(0).toUpperCase() + name.slice(1), items: ITEMS };
}

/** `1,234 of 1,240 messages were processed`, without the total when all were. */
function processedText({ processed, total }: JobCompleted['data'], items: JobKind['items']): string {
  const verbOf = (count: number): string => (count === 1 ? 'was' : 'were');
  return processed >= total
    ? `${formatCount(processed, items)} ${verbOf(processed)} processed`
    : `${formatNumber(processed)} of ${formatCount(total, items)} ${verbOf(total)} processed`;
}

/** The beginning of a title about the job. */
const nameOf = ({ name, trialRun = `Trial run: ${name}` }: JobKind, data: JobCompleted['data']): string =>
  data.trialRun ? trialRun : name;

export function jobCompletedText(data: JobCompleted['data']): NotificationText {
  const kind = kindOf(data.type);
  const { items, withoutItems = 'There was nothing to do.' } = kind;
  const name = nameOf(kind, data);
  if (data.trialRun) {
    const looked = `${formatCount(data.processed, items)} ${data.processed === 1 ? 'was' : 'were'} looked at`;
    return { title: `${name} finished`, body: `${looked}. Nothing was changed.` };
  }
  const title = `${name} completed`;
  if (data.processed === 0 && data.failed === 0) {
    return { title, body: data.total === 0 ? withoutItems : `${processedText(data, items)}.` };
  }
  const failures = data.failed > 0 ? `; ${formatNumber(data.failed)} failed` : '';
  return { title, body: `${processedText(data, items)}${failures}.` };
}

export function jobFailedText(data: JobFailed['data']): NotificationText {
  const kind = kindOf(data.type);
  const reason = toPlainLine(data.error ?? '') || 'The reason is not known.';
  if (data.trialRun) return { title: `${nameOf(kind, data)} failed`, body: `${reason} Nothing was changed.` };
  const done = data.processed > 0 ? ` ${processedText(data, kind.items)} before.` : '';
  return { title: `${kind.name} failed`, body: `${reason}${done}` };
}

export function ruleExecutedText(data: RuleExecuted['data']): NotificationText {
  const action = Object.hasOwn(ACTIONS, data.action) ? ACTIONS[data.action] : wordsOf(data.action);
  return {
    title: `Rule "${toPlainLine(data.name)}" was executed`,
    body:
      data.matched === 0
        ? 'No message matched.'
        : `${formatCount(data.matched, MESSAGES)} matched. Action: ${action}.`,
  };
}

/** `4.5 GB`, in powers of 1,000 as quotas are sold. */
function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`;
}

export function quotaWarningText({ usedBytes, quotaBytes, percent }: QuotaWarning['data']): NotificationText {
  return {
    title: percent >= 100 ? 'Storage is full' : `Storage is ${percent} % full`,
    body:
      `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)} are used.` +
      (percent >= 100 ? ' No more mail can be archived or imported until there is room again.' : ''),
  };
}

export function integrityFailedText({
  checked,
  missing,
  altered,
}: IntegrityFailed['data']): NotificationText {
  const problems = [
    ...(missing > 0 ? [`${formatCount(missing, ['file is', 'files are'])} missing`] : []),
    ...(altered > 0 ? [`${formatCount(altered, ['file is', 'files are'])} not what was archived`] : []),
  ];
  return {
    title: 'Archived mail is damaged',
    body: `${problems.join(', ')}; ${formatCount(checked, ['file was', 'files were'])} checked.`,
  };
}

/** `4 May, 09:30 UTC` */
function formatTime(iso: string): string {
  const date = new Date(iso);
  const month = date.toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' });
  return `${date.getUTCDate()} ${month}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** Why mail waits, by the reason of `archiving.unhealthy`. */
const WAITING: Readonly<Record<string, string>> = {
  'first-fill': 'The first copy of the mailbox has been under way',
  backlog: 'Mail has been waiting to be copied',
  provider: 'The mail provider has not been reached',
  store: 'The archive store has not been reached',
  'history-lost': 'The archive has had to be compared with the mailbox',
  incomplete: 'The mail server has not listed all of its messages',
};

/** The same where the mailbox is watched, and nothing is copied. */
const UNSEEN: Readonly<Record<string, string>> = {
  'first-fill': 'The mailbox has been read for the first time',
  'history-lost': 'The whole mailbox has had to be compared with what is known of it',
  incomplete: 'The mail server has not listed all of its messages',
};

/** The archive was restored from a backup, and retention waits. */
export interface BackupRestored {
  /** Time when the backup was made, ISO 8601. */
  readonly backupAt: string;
  /** Mails of the user that retention keeps until their messages have been seen in the mailbox. */
  readonly keptMails: number;
  /** Mails of all users that are kept; only administrators get this number. */
  readonly keptOfAll?: number | null;
}

export function backupRestoredText({ backupAt, keptMails, keptOfAll }: BackupRestored): NotificationText {
  const kept =
    keptMails > 0
      ? ` Retention keeps ${formatCount(keptMails, MAILS)} of yours until their messages have been seen in the mailbox: switch continuous archiving on.`
      : '';
  const all = keptOfAll ? ` Of all users: ${formatCount(keptOfAll, MAILS)}.` : '';
  return {
    title: 'The archive was restored from a backup',
    body: `The backup is of ${backupAt.slice(0, 10)}. Offloads after it are not known.${kept}${all}`,
  };
}

export function archivingUnhealthyText(data: ArchivingUnhealthy['data']): NotificationText {
  const { state, reason, pending } = data;
  const since = `since ${formatTime(data.since)}`;
  if (data.watchOnly) return watchingUnhealthyText(state, reason, since);
  const waits =
    pending > 0 ? ` ${formatCount(pending, ['message waits', 'messages wait'])} to be copied.` : '';
  if (state === 'needs_reconnection') {
    return {
      title: 'Archiving has stopped',
      body: `The mailbox has had to be connected again ${since}.${waits}`,
    };
  }
  if (state === 'quota_full') {
    return {
      title: 'Archiving has stopped',
      body: `The storage quota has had no room for new mail ${since}.${waits}`,
    };
  }
  const known = reason !== null && Object.hasOwn(WAITING, reason) ? WAITING[reason] : undefined;
  return { title: 'Archiving is behind', body: `${known ?? WAITING['backlog']} ${since}.${waits}` };
}

function watchingUnhealthyText(state: string, reason: string | null, since: string): NotificationText {
  if (state === 'needs_reconnection') {
    return { title: 'Watching has stopped', body: `The mailbox has had to be connected again ${since}.` };
  }
  const known = reason !== null && Object.hasOwn(UNSEEN, reason) ? UNSEEN[reason] : undefined;
  return {
    title: 'Watching is behind',
    body: `${known ?? 'The mailbox has not been looked at'} ${since}.`,
  };
}

export function archivingRecoveredText({ since }: ArchivingRecovered['data']): NotificationText {
  return {
    title: 'Archiving is up to date again',
    body: `It had been behind, or had stopped, since ${formatTime(since)}.`,
  };
}

/** `16 to 22 November`, both inclusive. */
function formatDays({ from, to }: WeeklyReport['data']): string {
  const [first, last] = [new Date(from), new Date(Date.parse(to) - 1)];
  const monthOf = (date: Date): string =>
    date.toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' });
  const begins = monthOf(first) === monthOf(last) ? '' : ` ${monthOf(first)}`;
  return `${first.getUTCDate()}${begins} to ${last.getUTCDate()} ${monthOf(last)}`;
}

/** `A (3), B (2) and C (1)` */
function formatSenders(senders: WeeklyReport['data']['topSenders']): string {
  const names = senders.map(({ sender, count }) => `${toPlainLine(sender)} (${formatNumber(count)})`);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}

export function weeklyReportText(data: WeeklyReport['data']): NotificationText {
  const title = 'Your week in Mailroom';
  const { archivedMails, archivedBytes, jobsCompleted, jobsFailed, rulesRun, topSenders } = data;
  const facts = [
    ...(archivedMails > 0
      ? [`${formatCount(archivedMails, MAILS)} (${formatBytes(archivedBytes)}) archived`]
      : []),
    ...(jobsCompleted > 0 ? [`${formatCount(jobsCompleted, ['job', 'jobs'])} completed`] : []),
    ...(jobsFailed > 0 ? [`${formatCount(jobsFailed, ['job', 'jobs'])} failed`] : []),
    ...(rulesRun > 0 ? [formatCount(rulesRun, ['rule run', 'rule runs'])] : []),
  ];
  if (facts.length === 0) {
    return { title, body: `${formatDays(data)} was quiet: no mail was archived, no job and no rule ran.` };
  }
  const senders = topSenders.length > 0 ? ` Most mail came from ${formatSenders(topSenders)}.` : '';
  const storage = ` ${formatBytes(data.storageUsedBytes)} of ${formatBytes(data.storageQuotaBytes)} of storage are used.`;
  return { title, body: `${formatDays(data)}: ${facts.join(', ')}.${senders}${storage}` };
}

type EventType = MailroomEvent['type'];
type DataOf<T extends EventType> = Extract<MailroomEvent, { type: T }>['data'];

interface EventNotification<T extends EventType> {
  readonly category: NotificationCategory;
  readonly text: (data: DataOf<T>) => NotificationText;
}

/** Exhaustive by its type: an event without a text does not compile. */
const NOTIFICATIONS: { readonly [T in EventType]: EventNotification<T> } = {
  'job.completed': { category: 'job_completed', text: jobCompletedText },
  'job.failed': { category: 'job_failed', text: jobFailedText },
  'rule.executed': { category: 'rule_executed', text: ruleExecutedText },
  'quota.warning': { category: 'quota_warning', text: quotaWarningText },
  'integrity.failed': { category: 'integrity_alert', text: integrityFailedText },
  'archiving.unhealthy': { category: 'integrity_alert', text: archivingUnhealthyText },
  'archiving.recovered': { category: 'integrity_alert', text: archivingRecoveredText },
  'weekly.report': { category: 'weekly_report', text: weeklyReportText },
};

/** The category and the text of an event's notification. */
export function notificationOf<T extends EventType>(event: {
  readonly type: T;
  readonly data: DataOf<T>;
}): NotificationText & { readonly type: NotificationCategory } {
  const { category, text } = NOTIFICATIONS[event.type];
  return { type: category, ...text(event.data) };
}
