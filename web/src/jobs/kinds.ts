import type { OperationId } from '@mailroom/sdk';
import { hasText } from '../i18n';
import type { en } from '../i18n/en';

const MAILBOX: readonly OperationId[] = [
  'search.search',
  'mailbox.listMessages',
  'mailbox.getMessages',
  'mailbox.listLabels',
  'mailbox.getProfile',
  'dashboard.getMailboxStats',
  'analytics.getSenderScores',
  'analytics.getCleanupSuggestions',
  'analytics.getInboxZero',
  'analytics.getHeatmap',
  'attachments.listLiveAttachments',
  'jobs.getUndo',
];

const ARCHIVE: readonly OperationId[] = [
  'search.search',
  'archive.listMails',
  'archive.listThreads',
  'archive.getFacets',
  'dashboard.getArchiveStats',
  'archive.getIntegrity',
  'auth.me',
];

/** Operations about the copies of a mailbox. */
const COVERAGE: readonly OperationId[] = ['archiving.get', 'coverage.get', 'coverage.listMessages'];

/** Operations whose data a job changes, by its kind: they are requested again when it ends. */
const CHANGES: Readonly<Record<string, readonly OperationId[]>> = {
  bulk_operation: [...MAILBOX, 'newsletters.list'],
  undo_changes: MAILBOX,
  run_rule: [...MAILBOX, ...ARCHIVE, 'rules.list'],
  scan_unsubscribe: ['newsletters.list'],
  scan_tracking: ['privacy.getTrackingStats', 'privacy.listTracking'],
  scan_pii: ['privacy.getPiiStats', 'privacy.listPiiFindings'],
  index_mailbox: MAILBOX,
  archive_mails: [...ARCHIVE, ...COVERAGE],
  keep_copies: [...ARCHIVE, ...COVERAGE],
  reconcile_mailbox: COVERAGE,
  plan_offload: ['offload.getPlan', 'offload.listPlans', 'offload.listPlanMessages'],
  offload_messages: [
    ...MAILBOX,
    ...COVERAGE,
    'offload.getPlan',
    'offload.listPlans',
    'offload.listPlanMessages',
    'offload.listSigningKeys',
  ],
  check_integrity: ['archive.getIntegrity'],
  import_mbox: ARCHIVE,
  import_imap: ARCHIVE,
  run_retention: [...ARCHIVE, 'retention.list'],
  encrypt_archives: [...ARCHIVE, 'privacy.getEncryptionStatus'],
  delete_user: ['admin.listUsers', 'admin.getStats'],
  delete_archived_mails: ARCHIVE,
  restore_mails: [
    ...MAILBOX,
    ...COVERAGE,
    'restore.getRestore',
    'restore.listRestores',
    'restore.listRestoreItems',
  ],
  purge_account: ['auth.me'],
};

/** Kinds whose changes in a mailbox are noted, and can be taken back. */
const UNDOABLE = new Set(['bulk_operation', 'run_rule', 'undo_changes', 'offload_messages']);
export const canBeUndone = (kind: string): boolean => UNDOABLE.has(kind);

export const isUndo = (kind: string): boolean => kind === 'undo_changes';

/** Kinds that need a secret, or whose choice of items is out of date by now: they are started anew. */
const NOT_RESUMED = new Set([
  'encrypt_archives',
  'import_imap',
  'restore_mails',
  'plan_offload',
  'offload_messages',
  'run_rule',
  'run_retention',
  'check_integrity',
  'delete_mailbox_data',
  'delete_user',
]);
export const canBeResumed = (kind: string): boolean => !NOT_RESUMED.has(kind);

/** Codes of failures that the file of an import causes: another attempt would fail in the same way. */
const FILE_ERRORS = new Set([
  'import-file-missing',
  'import-file-changed',
  'not-an-mbox-file',
  'no-mail-in-archive',
  'archive-unreadable',
  'outlook-file-unreadable',
  'import-unpacks-too-large',
  'import-too-many-files',
]);
/** Whether an ended job can be taken up again. */
export const isResumable = ({
  type,
  error_code: code,
}: {
  type: string;
  error_code: string | null;
}): boolean => canBeResumed(type) && !(code !== null && FILE_ERRORS.has(code));

/** Kinds of which the items that failed can be done again by themselves. */
const RETRIED = new Set(['bulk_operation', 'archive_mails']);
export const canBeRetried = (kind: string): boolean => RETRIED.has(kind);

/** Whether a job only found out what a restore would do, and put nothing back. */
export const isTrialRun = ({
  type,
  payload,
  result,
}: {
  readonly type: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly result: Readonly<Record<string, unknown>> | null;
}): boolean => type === 'restore_mails' && (result?.['phase'] ?? payload?.['phase']) === 'plan';

/** Kinds that look at messages and change none: "1,000 done" would say too much. */
const LOOKING = new Set([
  'plan_offload',
  'index_mailbox',
  'reconcile_mailbox',
  'scan_unsubscribe',
  'scan_tracking',
  'scan_pii',
  'check_integrity',
]);
export const changesNothing = (kind: string): boolean => LOOKING.has(kind);

/** Kinds that bring mail from elsewhere into the archive. */
export const isImport = (kind: string): boolean => kind === 'import_mbox' || kind === 'import_imap';

export const changesOf = (kind: string): readonly OperationId[] => CHANGES[kind] ?? [];

/** Everything that any job changes. */
export const listAllChanges = (): OperationId[] => [...new Set(Object.values(CHANGES).flat())];

/** Kinds that have a name of their own in the catalogue. */
export const isNamedKind = (kind: string): kind is keyof typeof en.jobs.kinds =>
  hasText(`jobs.kinds.${kind}`);
