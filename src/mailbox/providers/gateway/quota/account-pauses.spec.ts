import type { ProviderCredentials } from '../../provider-credentials.port';
import { AccountPauses } from './account-pauses';
import type { QuotaBucket } from './quota-bucket';

function pauses(pause: () => Promise<number>): AccountPauses {
  const credentials = { setPausedUntil: async () => undefined } as unknown as ProviderCredentials;
  return new AccountPauses({ pause } as unknown as QuotaBucket, credentials);
}

describe('AccountPauses', () => {
  it('takes over a longer pause of another process', async () => {
    const subject = pauses(async () => 60_000);
    await subject.pause('a', 1_000);
    expect(subject.remaining('a')).toBeGreaterThan(55_000);
    expect(subject.remaining('b')).toBe(0);
  });

  it('pauses this process although Redis is away', async () => {
    const subject = pauses(() => Promise.reject(new Error('Command timed out')));
    await subject.pause('a', 1_000);
    expect(subject.remaining('a')).toBeGreaterThan(900);
  });

  it('does not hide a fault of ours', async () => {
    const subject = pauses(() => Promise.reject(new Error('ERR wrong number of arguments')));
    await expect(subject.pause('a', 1_000)).rejects.toThrow('ERR');
  });
});
