import { Logger } from '@nestjs/common';
import { OffloadPlansService } from './offload-plans.service';

/** Three offloads that have ended and hold a mail each; reading the first one fails. */
function setup(failure: Error) {
  const released: string[] = [];
  const plans = {
    lockAny: async (planId: string) => {
      if (planId === 'first') throw failure;
    },
    isAtWork: async () => false,
  };
  const holds = {
    findPlans: async () => ['first', 'second', 'third'],
    releaseOthers: async (planId: string) => released.push(planId) && 1,
  };
  const items = { listMailsBeingMoved: async () => [] };
  const transactions = { run: (work: (transaction: object) => Promise<number>) => work({}) };
  const none = {} as never;
  const sut = new OffloadPlansService(
    ...([none, none, plans, items, holds, none, none, transactions, none] as never as [
      ...ConstructorParameters<typeof OffloadPlansService>,
    ]),
  );
  return { sut, released };
}

describe('OffloadPlansService', () => {
  const log = jest.spyOn(Logger.prototype, 'error');
  beforeEach(() => void log.mockReset());
  afterAll(() => jest.restoreAllMocks());

  it('should release the mails of other offloads when those of one cannot be released, and log it', async () => {
    const failure = new Error('This offload cannot be read');
    const { sut, released } = setup(failure);
    expect(await sut.releaseAbandoned()).toBe(2);
    expect(released).toEqual(['second', 'third']);
    expect(log.mock.calls).toEqual([[failure, expect.stringContaining('first')]]);
  });
});
