import { setImmediate as turn } from 'node:timers/promises';
import { ExpectedSizes } from './expected-sizes';
import { MessageBudget } from './message-budget';

const MIB = 1024 * 1024;
const signal = new AbortController().signal;

describe('MessageBudget', () => {
  /** Begins to fetch as many messages as there is room for. @returns how many */
  async function begin(memory: MessageBudget, expectedBytes: number | undefined): Promise<number> {
    let begun = 0;
    const reservation = memory.open('user', signal);
    for (let number = 0; number < 32; number++) {
      void reservation.reserve(`m${number}`, expectedBytes).then(
        () => (begun += 1),
        () => undefined,
      );
    }
    await turn();
    reservation.close();
    return begun;
  }

  it('should fetch few large messages at a time, but many small ones', async () => {
    expect(await begin(new MessageBudget(), 23 * MIB)).toBe(1);
    expect(await begin(new MessageBudget(), 6 * MIB)).toBe(2);
    expect(await begin(new MessageBudget(), 50_000)).toBe(32);
  });

  it('should learn the expected size of messages of unknown size', async () => {
    const sut = new MessageBudget();
    expect(await begin(sut, undefined)).toBe(2);
    const reservation = sut.open('user', signal);
    for (let number = 0; number < 60; number++) reservation.recordFetched(`m${number}`, 40_000);
    expect(await begin(sut, undefined)).toBe(32);
    for (let number = 0; number < 20; number++) reservation.recordFetched(`m${number}`, 23 * MIB);
    expect(await begin(sut, undefined)).toBe(1);
  });

  it('should admit small messages as soon as the first sizes are known, not when the first are written', async () => {
    const sut = new MessageBudget();
    const reservation = sut.open('user', signal);
    let begun = 0;
    for (let number = 0; number < 100; number++) {
      void reservation.reserve(`m${number}`, undefined).then(() => {
        begun += 1;
        setImmediate(() => reservation.recordFetched(`m${number}`, 40_000));
      });
    }
    for (let turns = 0; turns < 300 && begun < 100; turns++) await turn();
    expect(begun).toBe(100);
    reservation.close();
  });

  it('should hold a message until it is written', async () => {
    const sut = new MessageBudget();
    const reservation = sut.open('user', signal);
    await reservation.reserve('a', 23 * MIB);
    reservation.recordFetched('a', 10 * MIB);
    expect(sut.inUse).toBe(20 * MIB);
    reservation.recordParsed('a', 10 * MIB);
    expect(sut.inUse).toBe(10 * MIB);
    reservation.release('a');
    expect(sut.inUse).toBe(0);
  });

  it('should admit one message of any size for a user, and those of others beside it', async () => {
    const sut = new MessageBudget();
    const [one, other] = [sut.open('one', signal), sut.open('other', signal)];
    await one.reserve('largest', 140 * MIB);
    await other.reserve('large', 35 * MIB);
    let isIn = false;
    const next = one.reserve('next', 1_000).then(() => (isIn = true));
    await turn();
    expect(isIn).toBe(false);
    one.recordFetched('largest', 140 * MIB);
    one.recordParsed('largest', 140 * MIB);
    await turn();
    expect(isIn).toBe(false);
    one.release('largest');
    await next;
    one.close();
    other.close();
    expect(sut.inUse).toBe(0);
  });
});

describe('MemoryReservation', () => {
  it('should stop waiting for memory when its job ends, and when it is closed', async () => {
    const sut = new MessageBudget();
    const job = new AbortController();
    const reservation = sut.open('user', job.signal);
    const other = sut.open('user', signal);
    await other.reserve('large', 12 * MIB);
    const cancelled = reservation.reserve('a', MIB);
    const closed = other.reserve('b', MIB);
    job.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    other.close();
    await expect(closed).rejects.toThrow('The job has ended');
    expect(sut.inUse).toBe(0);
  });
});

describe('ExpectedSizes', () => {
  it('should look up sizes in chunks, each once, and drop chunks already processed', async () => {
    const ids = Array.from({ length: 1_200 }, (_, position) => `m${position}`);
    const asked: number[] = [];
    const sut = new ExpectedSizes(ids, async (chunk) => {
      asked.push(chunk.length);
      return new Map([[chunk[0] as string, 7]]);
    });
    const sizes = await Promise.all(ids.map((_, position) => sut.at(position)));
    expect(asked).toEqual([500, 500, 200]);
    expect([sizes[0], sizes[1], sizes[500], sizes[1_000]]).toEqual([7, undefined, 7, 7]);
  });
});
