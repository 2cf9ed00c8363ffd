import { Logger } from '@nestjs/common';
import type { JobDefinition } from '../../platform/jobs/job-definition';
import type { JobOwner, JobsService } from '../../platform/jobs/jobs.service';
import type { AccountPurgesRepository, DueAccount } from './account-purges.repository';
import { AccountPurgesService } from './account-purges.service';

const dueAccounts = (...ids: string[]): DueAccount[] =>
  ids.map((accountId) => ({ userId: 'user', accountId }));

/** A service with two purges and two deletions of mailbox data to start, of which one cannot be started. */
function setup(unstartable: string) {
  const started: string[] = [];
  const repository = {
    listDue: async () => dueAccounts('purge-1', 'purge-2'),
    listWithMailboxData: async () => dueAccounts('data-1', 'data-2'),
  };
  const jobs = {
    startIfPossible: async ({ kind }: JobDefinition<object>, { accountId }: JobOwner) => {
      if (accountId === unstartable) throw new Error('This deletion cannot be started');
      started.push(`${kind} ${accountId}`);
      return { jobId: 'job' };
    },
  };
  const sut = new AccountPurgesService(
    repository as unknown as AccountPurgesRepository,
    jobs as unknown as JobsService,
  );
  return { sut, started };
}

describe('AccountPurgesService', () => {
  const log = jest.spyOn(Logger.prototype, 'error');
  beforeEach(() => void log.mockReset());
  afterAll(() => jest.restoreAllMocks());

  it.each([
    {
      unstartable: 'purge-1',
      others: ['purge_account purge-2', 'delete_mailbox_data data-1', 'delete_mailbox_data data-2'],
    },
    {
      unstartable: 'data-1',
      others: ['purge_account purge-1', 'purge_account purge-2', 'delete_mailbox_data data-2'],
    },
  ])(
    'should start the other deletions when $unstartable cannot be started, and log it',
    async ({ unstartable, others }) => {
      const { sut, started } = setup(unstartable);
      expect(await sut.resume('hour')).toBe(3);
      expect(started).toEqual(others);
      expect(log.mock.calls).toEqual([
        [new Error('This deletion cannot be started'), expect.stringContaining(unstartable)],
      ]);
    },
  );
});
