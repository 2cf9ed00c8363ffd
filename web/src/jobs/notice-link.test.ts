import { describe, expect, it } from 'vitest';
import { noticeLink } from './notice-link';

describe('noticeLink', () => {
  const account = { accountId: 'box' };
  const params = { accountId: 'box' };

  it.each([
    ['job_completed', { ...account, type: 'bulk_operation' }, { to: '/a/$accountId/mailbox', params }],
    ['job_completed', { ...account, type: 'import_mbox' }, { to: '/a/$accountId/archive', params }],
    ['job_completed', { ...account, type: 'restore_mails', trialRun: true }, { to: '/jobs' }],
    ['job_completed', { accountId: null, type: 'delete_user' }, { to: '/jobs' }],
    ['job_failed', { ...account, type: 'import_mbox' }, { to: '/jobs', search: { status: 'failed' } }],
    ['rule_executed', account, { to: '/a/$accountId/rules', params }],
    ['integrity_alert', account, { to: '/a/$accountId/keep', params }],
    ['quota_warning', {}, { to: '/settings/profile' }],
  ] as const)('should lead from %s of %j to the page about it', (type, data, link) => {
    expect(noticeLink({ type, data })).toEqual(link);
  });

  it('should lead nowhere when there is no page about it', () => {
    expect(noticeLink({ type: 'weekly_report', data: {} })).toBeNull();
  });
});
