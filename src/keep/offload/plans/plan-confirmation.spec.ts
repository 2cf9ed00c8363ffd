import { newId } from '../../../platform/crypto/ids';
import type { Transaction } from '../../../platform/database/transactions';
import { PlanConfirmation } from './plan-confirmation';

describe('PlanConfirmation', () => {
  const owner = { userId: newId(), accountId: newId() };
  const plan = {
    id: newId(),
    ...owner,
    status: 'ready',
    digest: 'd',
    figures: { offloadable: 1 },
  };

  /** @returns whether a transaction was open when policies were read */
  const confirmed = async (start: (sut: PlanConfirmation) => Promise<unknown>): Promise<boolean[]> => {
    let isOpen = false;
    const reads: boolean[] = [];
    const copy = { date: new Date(0), labelIds: [] };
    const items = {
      listMovableAfter: () => Promise.resolve([{ position: 0, mailId: 'm' }]),
      block: jest.fn(() => Promise.resolve()),
      countByState: () => Promise.resolve({ left: 1 }),
    };
    const forecast = {
      forecastRemovals: () => {
        reads.push(isOpen);
        return Promise.resolve(() => true);
      },
    };
    const transactions = {
      run: async (work: (transaction: Transaction) => Promise<unknown>) => {
        isOpen = true;
        return work({} as Transaction);
      },
    };
    const sut = new PlanConfirmation(
      { requireUsable: () => Promise.resolve(), lockUsable: () => Promise.resolve() } as never,
      {
        find: () => Promise.resolve(plan),
        lock: () => Promise.resolve(plan),
        setCounts: () => Promise.resolve(),
        markRunning: () => Promise.resolve(),
      } as never,
      items as never,
      { findByMails: () => Promise.resolve(new Map([['m', copy]])) } as never,
      forecast as never,
      { find: () => Promise.resolve({ isActive: true, maxPerNight: 10 }) } as never,
      {} as never,
      { findRepeated: () => Promise.resolve(null), start: () => Promise.resolve({ jobId: 'j' }) } as never,
      transactions as never,
    );
    await start(sut);
    const blocked = [{ position: 0, reason: 'policy-would-remove' }];
    expect(items.block).toHaveBeenCalledWith(plan, blocked, expect.anything());
    return reads;
  };

  it.each<[string, (sut: PlanConfirmation) => Promise<unknown>]>([
    ['a person confirms', (sut) => sut.confirm(owner, plan.id, { digest: 'd', count: 1 }, null)],
    ['a schedule does', (sut) => sut.confirmScheduled(owner, plan.id)],
  ])('should read policies before the transaction that holds locks when %s', async (_who, start) => {
    expect(await confirmed(start)).toEqual([false]);
  });
});
