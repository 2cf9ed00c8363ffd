import { notificationOf } from './notification-texts';
import type {
  ArchivingUnhealthy,
  IntegrityFailed,
  JobCompleted,
  QuotaWarning,
  RuleExecuted,
  WeeklyReport,
} from '../../platform/events/events';

const job = (changes: Partial<JobCompleted['data']>): JobCompleted['data'] => ({
  jobId: 'bulk_operation-1',
  type: 'bulk_operation',
  status: 'completed',
  accountId: null,
  total: 10,
  processed: 10,
  failed: 0,
  error: null,
  ...changes,
});

const rule = (changes: Partial<RuleExecuted['data']>): RuleExecuted['data'] => ({
  ruleId: 'r',
  name: 'Old newsletters',
  accountId: 'a',
  action: 'trash',
  matched: 12,
  jobId: 'run_rule-7',
  ...changes,
});

describe('notificationOf', () => {
  describe('a completed job', () => {
    it.each<[Partial<JobCompleted['data']>, string, string]>([
      [{}, 'Bulk operation completed', '10 messages were processed.'],
      [{ total: 1, processed: 1 }, 'Bulk operation completed', '1 message was processed.'],
      [
        { total: 50_000, processed: 1_234, failed: 48_766 },
        'Bulk operation completed',
        '1,234 of 50,000 messages were processed; 48,766 failed.',
      ],
      [
        { total: 1, processed: 0, failed: 1 },
        'Bulk operation completed',
        '0 of 1 message was processed; 1 failed.',
      ],
      [{ total: 0, processed: 0 }, 'Bulk operation completed', 'There was nothing to do.'],
      [
        { type: 'delete_user', total: 0, processed: 0 },
        'User deletion completed',
        'The user and all their data are deleted.',
      ],
      [{ total: 4, processed: 0 }, 'Bulk operation completed', '0 of 4 messages were processed.'],
      // Some kinds learn of their total only as they go.
      [{ total: 0, processed: 3 }, 'Bulk operation completed', '3 messages were processed.'],
      [{ type: 'encrypt_archives' }, 'Archive encryption completed', '10 mails were processed.'],
      [{ type: 'some_new_kind', total: 1, processed: 1 }, 'Some new kind completed', '1 item was processed.'],
      [
        { type: 'restore_mails', trialRun: true },
        'Trial run of a restore finished',
        '10 mails were looked at. Nothing was changed.',
      ],
      [{ type: 'constructor' }, 'Constructor completed', '10 items were processed.'],
    ])('should describe %j: "%s", "%s"', (changes, title, body) => {
      expect(notificationOf({ type: 'job.completed', data: job(changes) })).toEqual({
        type: 'job_completed',
        title,
        body,
      });
    });
  });

  describe('a failed job', () => {
    it.each<[Partial<JobCompleted['data']>, string, string]>([
      [{ processed: 0, error: 'Connect it again.' }, 'Bulk operation failed', 'Connect it again.'],
      [
        { total: 1_500, processed: 1_000, error: 'Connect it again.' },
        'Bulk operation failed',
        'Connect it again. 1,000 of 1,500 messages were processed before.',
      ],
      [
        { type: 'archive_mails', processed: 0, error: 'One\0\nline\u2028only\ud800' },
        'Archiving failed',
        'One line only',
      ],
      [
        { type: 'restore_mails', trialRun: true, processed: 3, error: 'Connect it again.' },
        'Trial run of a restore failed',
        'Connect it again. Nothing was changed.',
      ],
      [{ type: 'run_rule', processed: 0, error: null }, 'Rule run failed', 'The reason is not known.'],
    ])('should describe %j: "%s", "%s"', (changes, title, body) => {
      expect(notificationOf({ type: 'job.failed', data: job({ status: 'failed', ...changes }) })).toEqual({
        type: 'job_failed',
        title,
        body,
      });
    });
  });

  describe('an executed rule', () => {
    it.each<[Partial<RuleExecuted['data']>, string, string]>([
      [{}, 'Rule "Old newsletters" was executed', '12 messages matched. Action: move to trash.'],
      [
        { matched: 1, action: 'archive_nas' },
        'Rule "Old newsletters" was executed',
        '1 message matched. Action: copy to the archive.',
      ],
      [
        { matched: 12_345, action: 'delete' },
        'Rule "Old newsletters" was executed',
        '12,345 messages matched. Action: delete permanently.',
      ],
      [{ matched: 0 }, 'Rule "Old newsletters" was executed', 'No message matched.'],
      [{ name: '<b>\n"x"</b>', matched: 0 }, 'Rule "<b> "x"</b>" was executed', 'No message matched.'],
      [
        { action: 'some_action' },
        'Rule "Old newsletters" was executed',
        '12 messages matched. Action: some action.',
      ],
    ])('should describe %j: "%s", "%s"', (changes, title, body) => {
      expect(notificationOf({ type: 'rule.executed', data: rule(changes) })).toEqual({
        type: 'rule_executed',
        title,
        body,
      });
    });
  });

  it.each<[QuotaWarning['data'], string, string]>([
    [
      { usedBytes: 4_500_000_000, quotaBytes: 5_000_000_000, percent: 90 },
      'Storage is 90 % full',
      '4.5 GB of 5 GB are used.',
    ],
    [
      { usedBytes: 1_000, quotaBytes: 999, percent: 100 },
      'Storage is full',
      '1 kB of 999 bytes are used. No more mail can be archived or imported until there is room again.',
    ],
  ])('should warn of %j: "%s", "%s"', (data, title, body) => {
    expect(notificationOf({ type: 'quota.warning', data })).toEqual({ type: 'quota_warning', title, body });
  });

  it.each<[Partial<IntegrityFailed['data']>, string]>([
    [
      { missing: 1, altered: 2 },
      '1 file is missing, 2 files are not what was archived; 1,000 files were checked.',
    ],
    [{ altered: 1, checked: 1 }, '1 file is not what was archived; 1 file was checked.'],
  ])('should alert to %j: "%s"', (changes, body) => {
    const data = { accountId: 'a', checked: 1_000, missing: 0, altered: 0, mailIds: [], ...changes };
    const title = 'Archived mail is damaged';
    expect(notificationOf({ type: 'integrity.failed', data })).toEqual({
      type: 'integrity_alert',
      title,
      body,
    });
  });

  it.each<[Partial<ArchivingUnhealthy['data']>, string, string]>([
    [
      { state: 'needs_reconnection', reason: null, pending: 0 },
      'Archiving has stopped',
      'The mailbox has had to be connected again since 4 May, 09:30 UTC.',
    ],
    [
      { state: 'quota_full', reason: null, pending: 1 },
      'Archiving has stopped',
      'The storage quota has had no room for new mail since 4 May, 09:30 UTC. 1 message waits to be copied.',
    ],
    [
      {},
      'Archiving is behind',
      'Mail has been waiting to be copied since 4 May, 09:30 UTC. 1,200 messages wait to be copied.',
    ],
    [
      { reason: 'history-lost', pending: 0 },
      'Archiving is behind',
      'The archive has had to be compared with the mailbox since 4 May, 09:30 UTC.',
    ],
    [
      { reason: 'constructor', pending: 0 },
      'Archiving is behind',
      'Mail has been waiting to be copied since 4 May, 09:30 UTC.',
    ],
    [{ watchOnly: true }, 'Watching is behind', 'The mailbox has not been looked at since 4 May, 09:30 UTC.'],
    [
      { watchOnly: true, reason: 'first-fill' },
      'Watching is behind',
      'The mailbox has been read for the first time since 4 May, 09:30 UTC.',
    ],
    [
      { watchOnly: true, state: 'needs_reconnection', reason: null },
      'Watching has stopped',
      'The mailbox has had to be connected again since 4 May, 09:30 UTC.',
    ],
  ])('should describe archiving %j: "%s", "%s"', (changes, title, body) => {
    const since = '2026-05-04T09:30:00.000Z';
    const data = { accountId: 'a', state: 'behind', reason: 'backlog', since, pending: 1_200, ...changes };
    expect(notificationOf({ type: 'archiving.unhealthy', data })).toEqual({
      type: 'integrity_alert',
      title,
      body,
    });
  });

  describe('the week', () => {
    const week = (changes: Partial<WeeklyReport['data']>): WeeklyReport['data'] => ({
      from: '2026-11-16T00:00:00.000Z',
      to: '2026-11-23T00:00:00.000Z',
      jobsCompleted: 0,
      jobsFailed: 0,
      archivedMails: 0,
      archivedBytes: 0,
      rulesRun: 0,
      topSenders: [],
      storageUsedBytes: 4_500_000_000,
      storageQuotaBytes: 5_000_000_000,
      ...changes,
    });
    const senders = [
      { sender: 'A <a@x.test>', count: 1_200 },
      { sender: 'b@x.test', count: 20 },
      { sender: 'C\u2028<c@x.test>', count: 3 },
    ];

    it.each<[Partial<WeeklyReport['data']>, string]>([
      [{}, '16 to 22 November was quiet: no mail was archived, no job and no rule ran.'],
      [
        { from: '2026-11-30T00:00:00.000Z', to: '2026-12-07T00:00:00.000Z' },
        '30 November to 6 December was quiet: no mail was archived, no job and no rule ran.',
      ],
      [
        {
          archivedMails: 1_234,
          archivedBytes: 56_700_000,
          jobsCompleted: 12,
          jobsFailed: 1,
          rulesRun: 4,
          topSenders: senders,
        },
        '16 to 22 November: 1,234 mails (56.7 MB) archived, 12 jobs completed, 1 job failed, 4 rule runs. ' +
          'Most mail came from A <a@x.test> (1,200), b@x.test (20) and C <c@x.test> (3). ' +
          '4.5 GB of 5 GB of storage are used.',
      ],
      [
        { archivedMails: 1, archivedBytes: 900, topSenders: senders.slice(1, 2) },
        '16 to 22 November: 1 mail (900 bytes) archived. Most mail came from b@x.test (20). ' +
          '4.5 GB of 5 GB of storage are used.',
      ],
      [{ rulesRun: 1 }, '16 to 22 November: 1 rule run. 4.5 GB of 5 GB of storage are used.'],
    ])('should describe %j: "%s"', (changes, body) => {
      expect(notificationOf({ type: 'weekly.report', data: week(changes) })).toEqual({
        type: 'weekly_report',
        title: 'Your week in Mailroom',
        body,
      });
    });
  });
});
