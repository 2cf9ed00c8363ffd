import type { CoverageRepository, OperatorOverview } from '../ledger/coverage.repository';
import { type CoverageLine, CoverageReportService } from './coverage-report.service';

const overview = (changes: Partial<OperatorOverview> = {}): OperatorOverview => ({
  accountId: 'account',
  userId: 'user',
  mode: 'keep',
  exact: true,
  incompleteFolders: [],
  historyId: '17',
  at: new Date('2026-03-01T08:00:00Z'),
  providerTotal: 3,
  providerAgreed: true,
  providerCheckedAt: null,
  unhealthySince: null,
  totals: [
    { class: 'archived', detail: '', isVerified: true, messages: 2, bytes: 20 },
    { class: 'excluded', detail: 'spam', isVerified: false, messages: 1, bytes: 5 },
  ],
  ...changes,
});

/** Reports the only mailbox. */
async function report(changes: Partial<OperatorOverview> = {}): Promise<CoverageLine> {
  const coverage: Pick<CoverageRepository, 'findOverviews'> = {
    findOverviews: async () => [overview(changes)],
  };
  const [line, ...others] = await new CoverageReportService(coverage as CoverageRepository).list();
  expect(others).toEqual([]);
  return line!;
}

describe('CoverageReportService', () => {
  it('should report the figures of the ledger', async () => {
    expect(await report()).toEqual({
      accountId: 'account',
      userId: 'user',
      exact: true,
      healthy: true,
      historyId: '17',
      at: '2026-03-01T08:00:00.000Z',
      total: 3,
      verified: 2,
      archived: 0,
      excluded: 1,
      failed: 0,
      pending: 0,
      onlyInArchive: 0,
    });
  });

  it.each<[string, Partial<OperatorOverview>]>([
    ['its state has been bad for a while', { unhealthySince: new Date() }],
    ['the provider counts otherwise', { providerAgreed: false }],
    [
      'messages have failed',
      { totals: [{ class: 'failed', detail: 'x', isVerified: false, messages: 1, bytes: 1 }] },
    ],
  ])('should not be healthy when %s', async (_why, changes) => {
    expect((await report(changes)).healthy).toBe(false);
  });
});
