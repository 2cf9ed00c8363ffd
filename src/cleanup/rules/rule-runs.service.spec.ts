import { Logger } from '@nestjs/common';
import { Transaction } from '../../platform/database/transactions';
import type { JobDefinition } from '../../platform/jobs/job-definition';
import type { JobOwner } from '../../platform/jobs/jobs.service';
import { RuleRunsService } from './rule-runs.service';

const owner = (userId: string) => ({
  userId,
  accountId: `mailbox of ${userId}`,
  ruleId: `rule of ${userId}`,
});

/** Rules of three users, of whom the first one's run cannot be started. */
function setup(failure: Error) {
  const [started, ends]: [string[], string[]] = [[], []];
  const rules = { claimDue: async () => ['third', 'first', 'second'].map(owner) };
  const jobs = {
    startIfPossible: async (_: JobDefinition<object>, { userId }: JobOwner) => {
      if (userId === 'first') throw failure;
      started.push(userId);
      return { jobId: 'job' };
    },
  };
  const ended =
    (commit: string, rollback: string) =>
    async (work: (manager: object) => Promise<unknown>): Promise<unknown> => {
      try {
        const result = await work({});
        ends.push(commit);
        return result;
      } catch (error) {
        ends.push(rollback);
        throw error;
      }
    };
  const manager = { transaction: ended('release', 'rollback to savepoint') };
  const run = ended('commit', 'rollback');
  const transactions = {
    run: (work: (transaction: Transaction) => Promise<unknown>) =>
      run(() => work(new Transaction(manager as never))),
  };
  const none = {} as never;
  const sut = new RuleRunsService(none, rules as never, none, jobs as never, transactions as never);
  return { sut, started, ends };
}

describe('RuleRunsService', () => {
  const log = jest.spyOn(Logger.prototype, 'error');
  beforeEach(() => void log.mockReset());
  afterAll(() => jest.restoreAllMocks());

  it('should start the rules of other users when one user’s rule cannot be started, and log it', async () => {
    const failure = new Error('This run cannot be started');
    const { sut, started, ends } = setup(failure);
    expect(await sut.startDue()).toBe(3);
    expect(started).toEqual(['second', 'third']);
    expect(ends).toEqual(['rollback to savepoint', 'release', 'release', 'commit']);
    expect(log.mock.calls).toEqual([[failure, expect.stringContaining('rule of first')]]);
  });

  it('should leave all of them due when the database is unavailable', async () => {
    const { sut, ends } = setup(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
    await expect(sut.startDue()).rejects.toThrow('gone');
    expect(ends.at(-1)).toBe('rollback');
    expect(log).not.toHaveBeenCalled();
  });
});
