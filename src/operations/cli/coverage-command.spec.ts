import type { OperatorOverview } from '../../keep/continuous/ledger/coverage.repository';
import { lineOf } from './coverage-command';

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

describe('lineOf', () => {
  it('should be what the ledger says', () => {
    expect(lineOf(overview())).toEqual({
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
  ])('should not be healthy when %s', (_why, changes) => {
    expect(lineOf(overview(changes)).healthy).toBe(false);
  });
});
