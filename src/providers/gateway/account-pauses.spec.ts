import type { ProviderCredentials } from '../port/provider-credentials.port';
import { AccountPauses } from './account-pauses';
import type { QuotaBucket } from './quota-bucket';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('AccountPauses', () => {
  let shown: [string, number][];
  /** The answer of Redis: how long the account is paused. */
  let share: (ms: number) => Promise<number>;
  let sut: AccountPauses;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    shown = [];
    share = async (ms) => ms;
    const credentials = {
      setPausedUntil: async (id: string, until: Date) => void shown.push([id, until.getTime() - NOW]),
    } as unknown as ProviderCredentials;
    const quota = { pause: (_id: string, ms: number) => share(ms) } as unknown as QuotaBucket;
    sut = new AccountPauses(quota, credentials);
  });

  afterEach(() => jest.useRealTimers());

  it('should adopt a longer pause from another process', async () => {
    share = async () => 60_000;
    await sut.pause('a', 1_000);
    expect(sut.remainingMsOf('a')).toBe(60_000);
    expect(sut.remainingMsOf('b')).toBe(0);
  });

  it('should pause this process without Redis', async () => {
    share = () => Promise.reject(new Error('Command timed out'));
    await sut.pause('a', 3_000);
    expect(sut.remainingMsOf('a')).toBe(3_000);
    expect(shown).toEqual([['a', 3_000]]);
  });

  it('should not hide a programming error', async () => {
    share = () => Promise.reject(new Error('ERR wrong number of arguments'));
    await expect(sut.pause('a', 1_000)).rejects.toThrow('ERR');
  });

  it('should end when its time is over', async () => {
    await sut.pause('a', 5_000);
    jest.setSystemTime(NOW + 4_999);
    expect(sut.remainingMsOf('a')).toBe(1);
    jest.setSystemTime(NOW + 5_000);
    expect(sut.remainingMsOf('a')).toBe(0);
    expect(shown).toEqual([['a', 5_000]]);
  });

  it('should report its end, once for all refused calls, and again when it becomes longer', async () => {
    await Promise.all([sut.pause('a', 5_000), sut.pause('a', 4_900), sut.pause('a', 5_200)]);
    await sut.pause('b', 1_900);
    await sut.pause('a', 20_000);
    await sut.pause('a', 3_000);
    expect(shown).toEqual([
      ['a', 5_200],
      ['a', 20_000],
    ]);
  });

  it('should report the end of the longest known pause', async () => {
    share = async () => 60_000;
    await sut.pause('a', 2_000);
    expect(shown).toEqual([['a', 60_000]]);
  });

  it('should continue when it cannot be recorded', async () => {
    const failing = {
      setPausedUntil: () => Promise.reject(new Error('Connection terminated')),
    } as unknown as ProviderCredentials;
    sut = new AccountPauses({ pause: async () => 9_000 } as unknown as QuotaBucket, failing);
    await sut.pause('a', 9_000);
    expect(sut.remainingMsOf('a')).toBe(9_000);
  });
});
