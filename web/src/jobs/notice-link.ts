import type { Schemas } from '@mailroom/sdk';

type Notice = Pick<Schemas['NotificationResponse'], 'type' | 'data'>;

/** The pages that show what jobs did, by their kinds; of the others the list of jobs says it. */
const PLACES = {
  bulk_operation: 'mailbox',
  undo_changes: 'mailbox',
  restore_mails: 'mailbox',
  archive_mails: 'archive',
  delete_archived_mails: 'archive',
  import_mbox: 'archive',
  import_imap: 'archive',
  keep_copies: 'keep',
  reconcile_mailbox: 'keep',
  plan_offload: 'keep',
  offload_messages: 'keep',
  check_integrity: 'keep',
  run_rule: 'rules',
  scan_unsubscribe: 'newsletters',
  scan_tracking: 'privacy',
  scan_pii: 'privacy',
} as const;

const JOBS = { to: '/jobs' } as const;
const FAILED_JOBS = { to: '/jobs', search: { status: 'failed' } } as const;
const PROFILE = { to: '/settings/profile' } as const;

type Place = (typeof PLACES)[keyof typeof PLACES];

const placeOf = (accountId: string, place: Place) =>
  ({ to: `/a/$accountId/${place}`, params: { accountId } }) as const;

export type NoticeLink = ReturnType<typeof placeOf> | typeof JOBS | typeof FAILED_JOBS | typeof PROFILE;

/** The page that shows what a notification is about; null where there is none. */
export function noticeLink({ type, data }: Notice): NoticeLink | null {
  const accountId = typeof data['accountId'] === 'string' ? data['accountId'] : null;
  switch (type) {
    case 'job_failed':
      return FAILED_JOBS;
    case 'job_completed': {
      const place = Object.entries(PLACES).find(([kind]) => kind === data['type'])?.[1];
      // A trial run changes nothing that another page would show.
      return accountId === null || place === undefined || data['trialRun'] === true
        ? JOBS
        : placeOf(accountId, place);
    }
    case 'rule_executed':
      return accountId === null ? null : placeOf(accountId, 'rules');
    case 'integrity_alert':
      return accountId === null ? null : placeOf(accountId, 'keep');
    case 'quota_warning':
      return PROFILE;
    default:
      return null;
  }
}
