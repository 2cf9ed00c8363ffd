import { notificationOf } from './event-notifications';
import type { JobCompleted, RuleExecuted } from '../../events/events';

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
      [{ total: 4, processed: 0 }, 'Bulk operation completed', '0 of 4 messages were processed.'],
      // Some kinds learn of their total only as they go.
      [{ total: 0, processed: 3 }, 'Bulk operation completed', '3 messages were processed.'],
      [{ type: 'encrypt_archives' }, 'Encryption of the archive completed', '10 mails were processed.'],
      [{ type: 'some_new_kind', total: 1, processed: 1 }, 'Some new kind completed', '1 item was processed.'],
      [{ type: 'constructor' }, 'Constructor completed', '10 items were processed.'],
    ])('should say of %j: "%s", "%s"', (changes, title, body) => {
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
      [{ type: 'run_rule', processed: 0, error: null }, 'Run of a rule failed', 'The reason is not known.'],
    ])('should say of %j: "%s", "%s"', (changes, title, body) => {
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
    ])('should say of %j: "%s", "%s"', (changes, title, body) => {
      expect(notificationOf({ type: 'rule.executed', data: rule(changes) })).toEqual({
        type: 'rule_executed',
        title,
        body,
      });
    });
  });
});
