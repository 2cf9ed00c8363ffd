import type { JobContext } from '../../platform/jobs/job-definition';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';
import type { RuleActionType } from './rule';
import { RunRuleRun, RunRuleServices } from './run-rule.run';

const LABELS: Readonly<Record<string, readonly string[]>> = {
  same: ['Label_1', 'INBOX'],
  takenOut: ['INBOX'],
  trashed: ['Label_1', 'TRASH'],
};
/** `gone`: the mailbox no longer has it. */
const IDS = ['same', 'takenOut', 'trashed', 'gone'];

describe('A RunRuleRun that continues the batch of a lost attempt', () => {
  const perform = jest.fn();
  const total = jest.fn();
  const report = jest.fn();

  beforeEach(() => {
    perform.mockReset().mockImplementation(async (_account, _action, ids: string[]) => ({
      changed: ids.length,
      alreadyDone: 0,
    }));
    total.mockReset();
    report.mockReset();
  });

  async function goOn(type: RuleActionType, next: number): Promise<Record<string, unknown>> {
    const saved = {
      rule: {
        conditions: [{ field: 'label', operator: 'equals', value: 'Work' }],
        action: { type },
      },
      labels: [{ id: 'Label_1', name: 'Work', type: 'user' }],
      query: 'label:Work',
      startedAt: '2026-01-01T00:00:00.000Z',
      isExact: true,
      found: IDS.length,
      after: -1,
      batch: { ids: IDS, starred: ['same', 'takenOut'], important: [], last: 3, failed: [], inner: { next } },
      counts: { skippedNotExact: 0, changed: 0, alreadyDone: 0, failed: 0, starred: 0, important: 0 },
      remaining: null,
    };
    const job = {
      savedCheckpoint: () => structuredClone(saved),
      checkpoint: async () => {},
      throwIfCancelled: () => {},
      setTotal: total,
      report,
      signal: new AbortController().signal,
    };
    const services = {
      provider: { maxIdsPerChange: 1_000, listMessages: async () => ({ messages: [] }) },
      index: {
        sync: async () => 'cursor',
        findLabels: async () => new Map(Object.entries(LABELS)),
      },
      actions: { perform },
      matches: { findNext: async () => [] },
    };
    return new RunRuleRun(
      { id: 'account' } as unknown as ProviderAccount,
      saved.rule as never,
      'run',
      job as unknown as JobContext,
      services as unknown as RunRuleServices,
    ).run();
  }

  it('should report unknown outcomes when it stops in the middle of a batch', async () => {
    perform.mockImplementation(async (_account, _action, _ids, _place, job: JobContext) => {
      job.report({ action: 'delete', changed: 1, alreadyDone: 1, notFound: 0, refused: 0, unknown: 2 });
      throw new Error('cancelled');
    });
    await expect(goOn('delete', 4)).rejects.toThrow('cancelled');
    expect(report).toHaveBeenLastCalledWith(
      expect.objectContaining({ action: 'delete', changed: 1, alreadyDone: 1, unknown: 2 }),
    );
  });

  it.each<[RuleActionType, number, string[]]>([
    // A user has trashed one, and taken another out of the trash. Only the history shows who made one disappear.
    ['delete', 0, ['same', 'gone']],
    ['trash', 0, ['same', 'trashed', 'gone']],
    // The change was requested already, by positions in the batch.
    ['delete', 4, IDS],
    ['mark_read', 0, IDS],
  ])('should %s, %i asked for, %j', async (type, next, expected) => {
    const result = await goOn(type, next);
    expect(perform.mock.calls[0][2]).toEqual(expected);
    const skippedNotExact = IDS.length - expected.length;
    expect(result).toMatchObject({
      skippedNotExact,
      matched: expected.length,
      changed: expected.length,
      starredCount: expected.includes('takenOut') ? 2 : 1,
    });
    if (skippedNotExact > 0) expect(total).toHaveBeenLastCalledWith(expected.length);
  });
});
