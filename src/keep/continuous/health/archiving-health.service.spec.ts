import { Logger } from '@nestjs/common';
import type { ArchivingOverview } from '../settings/archiving-settings.repository';
import { ArchivingHealthService } from './archiving-health.service';

const NOW = new Date('2025-11-21T12:00:00Z');
const LONG_AGO = new Date('2025-11-19T12:00:00Z');

/** An account that needs to be connected again, for so long that its owner is to hear of it. */
const unhealthy = (accountId: string): Partial<ArchivingOverview> => ({
  ...{ accountId, userId: `owner of ${accountId}`, mode: 'keep', paused: false, isActive: true },
  ...{ status: 'needs_reauth', incompleteFolders: [], pending: 0, notifyAfterHours: 24 },
  ...{ unhealthySince: LONG_AGO, notifiedAt: null },
});

/** Three accounts, of which the first one's state cannot be written down. */
function setup(failure: Error) {
  const told: string[] = [];
  const settings = {
    listMonitored: async () => ['first', 'second', 'third'].map(unhealthy),
    saveEpisode: async (accountId: string) => {
      if (accountId === 'first') throw failure;
      return true;
    },
  };
  const events = { dispatch: async ({ userId }: { userId: string }) => void told.push(userId) };
  const transactions = { run: (work: (transaction: object) => Promise<boolean>) => work({}) };
  const sut = new ArchivingHealthService(settings as never, events as never, transactions as never);
  return { sut, told };
}

describe('ArchivingHealthService', () => {
  const log = jest.spyOn(Logger.prototype, 'error');
  beforeEach(() => void log.mockReset());
  afterAll(() => jest.restoreAllMocks());

  it('should notify the other owners when the state of one account cannot be recorded, and log it', async () => {
    const failure = new Error('This state cannot be recorded');
    const { sut, told } = setup(failure);
    expect(await sut.judgeAll(NOW)).toBe(2);
    expect(told).toEqual(['owner of second', 'owner of third']);
    expect(log.mock.calls).toEqual([[failure, expect.stringContaining('first')]]);
  });
});
