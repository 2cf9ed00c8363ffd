import { type ArchivingFacts, type Episode, nextEpisode, stateOf } from './archiving-state';

const NOW = new Date('2026-05-04T12:00:00Z');
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

const facts = (changes: Partial<ArchivingFacts> = {}): ArchivingFacts => ({
  mode: 'keep',
  paused: false,
  account: { isActive: true, status: 'connected' },
  isFull: false,
  oldestPendingAt: null,
  lookedAt: ago(1),
  exact: true,
  isIncomplete: false,
  filledAt: ago(1_000),
  trouble: null,
  ...changes,
});

/** Each is worse off than the one after it: the first that holds counts. */
const WORST_FIRST: readonly [string, Partial<ArchivingFacts>][] = [
  ['off', { mode: 'off' }],
  ['needs_reconnection', { account: { isActive: true, status: 'needs_reauth' } }],
  ['paused', { paused: true }],
  ['quota_full', { isFull: true }],
  ['behind', { exact: false }],
];

describe('stateOf', () => {
  it('should be healthy when nothing is wrong', () => {
    expect(stateOf(facts(), NOW)).toEqual({ state: 'healthy', reason: null });
  });

  it.each(WORST_FIRST.map(([state], position) => [state, position] as const))(
    'should be %s whatever less important problems there are',
    (state, position) => {
      const all = WORST_FIRST.slice(position).map(([, changes]) => changes);
      expect(stateOf(facts(Object.assign({}, ...all) as Partial<ArchivingFacts>), NOW).state).toBe(state);
    },
  );

  it.each<[string, Partial<ArchivingFacts>]>([
    ['paused', { account: { isActive: false, status: 'connected' } }],
    ['paused', { account: { isActive: true, status: 'disconnected' } }],
    ['paused', { account: { isActive: true, status: 'purging' } }],
    ['healthy', { oldestPendingAt: ago(9) }],
    ['behind', { oldestPendingAt: ago(11) }],
    ['behind', { lookedAt: null }],
    ['behind', { lookedAt: ago(11) }],
    // Nothing is copied: what would be is no backlog, and needs no room.
    ['healthy', { mode: 'watch', oldestPendingAt: ago(11), isFull: true }],
    ['behind', { mode: 'watch', exact: false }],
  ])('should be %s with %j', (state, changes) => {
    expect(stateOf(facts(changes), NOW).state).toBe(state);
  });

  it.each<[string, Partial<ArchivingFacts>]>([
    ['backlog', { oldestPendingAt: ago(20) }],
    ['backlog', { lookedAt: ago(20) }],
    ['first-fill', { oldestPendingAt: ago(20), filledAt: null }],
    ['first-fill', { exact: false, filledAt: null }],
    ['history-lost', { exact: false }],
    ['history-lost', { exact: false, isIncomplete: true }],
    ['incomplete', { isIncomplete: true }],
    ['provider', { exact: false, filledAt: null, trouble: 'provider' }],
    ['store', { oldestPendingAt: ago(20), trouble: 'store' }],
  ])('should be behind because of %s with %j', (reason, changes) => {
    expect(stateOf(facts(changes), NOW)).toEqual({ state: 'behind', reason });
  });

  it('should ignore a problem that nothing waits for', () => {
    expect(stateOf(facts({ trouble: 'store' }), NOW).state).toBe('healthy');
  });
});

describe('nextEpisode', () => {
  const NONE: Episode = { unhealthySince: null, notifiedAt: null };
  const behind = { state: 'behind', reason: 'backlog' } as const;
  const healthy = { state: 'healthy', reason: null } as const;

  it('should begin when a state is bad, without a notification yet', () => {
    expect(nextEpisode(NONE, behind, 24, NOW)).toEqual({
      unhealthySince: NOW,
      notifiedAt: null,
      event: null,
    });
  });

  it.each([
    [60 * 24 - 1, null],
    [60 * 24, 'unhealthy'],
  ])('should notify after %d minutes of 24 hours: %s', (minutes, event) => {
    const before = { unhealthySince: ago(minutes), notifiedAt: null };
    expect(nextEpisode(before, behind, 24, NOW).event).toBe(event);
  });

  it('should notify once, even if the state has become another bad one by then', () => {
    const before = { unhealthySince: ago(60 * 30), notifiedAt: ago(60) };
    const next = nextEpisode(before, { state: 'quota_full', reason: null }, 24, NOW);
    expect(next).toEqual({ ...before, event: null });
  });

  it('should never notify when notifications are off', () => {
    expect(
      nextEpisode({ unhealthySince: ago(10_000), notifiedAt: null }, behind, null, NOW).event,
    ).toBeNull();
  });

  it('should notify of its end those who were notified of it', () => {
    const heard = { unhealthySince: ago(2_000), notifiedAt: ago(100) };
    expect(nextEpisode(heard, healthy, 24, NOW)).toEqual({ ...NONE, event: 'recovered' });
    expect(nextEpisode({ ...heard, notifiedAt: null }, healthy, 24, NOW)).toEqual({ ...NONE, event: null });
  });

  it.each(['off', 'paused'] as const)('should end silently when it is %s', (state) => {
    const heard = { unhealthySince: ago(2_000), notifiedAt: ago(100) };
    expect(nextEpisode(heard, { state, reason: null }, 24, NOW)).toEqual({ ...NONE, event: null });
  });
});
