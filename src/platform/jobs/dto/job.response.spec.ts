import { queueStateOf } from './job.response';

describe('queueStateOf', () => {
  it.each([
    ['pending', false, null, 'waiting'],
    ['active', true, null, 'active'],
    ['active', false, null, 'delayed'],
    ['cancelled', true, null, 'active'],
    ['cancelled', false, null, 'cancelled'],
    ['cancelled', false, '2026-01-01T00:00:00.000Z', 'cancelled'],
    ['completed', false, '2026-01-01T00:00:00.000Z', 'completed'],
    ['failed', false, '2026-01-01T00:00:00.000Z', 'failed'],
  ] as const)('should show a %s job (held: %s, ended: %s) as %s', (status, leased, completedAt, state) => {
    expect(queueStateOf({ status, leased, completedAt, dueAt: null })).toBe(state);
  });

  it.each([
    ['2999-01-01T00:00:00.000Z', 'delayed'],
    ['2001-01-01T00:00:00.000Z', 'waiting'],
  ] as const)('should show a pending job that waits until %s as %s', (dueAt, state) => {
    expect(queueStateOf({ status: 'pending', leased: false, completedAt: null, dueAt })).toBe(state);
  });
});
