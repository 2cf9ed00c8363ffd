import {
  MailboxDisconnected,
  ProviderRateLimited,
  ProviderUnavailable,
} from '../../providers/port/mail-provider.errors';
import type { CallPriority, MailboxProvider } from '../../providers/port/mailbox-provider.port';
import { retryWhileUnavailable } from './retry-while-unavailable';

describe('retryWhileUnavailable', () => {
  const profile = jest.fn();
  const provider = { getProfile: profile } as unknown as MailboxProvider;
  const failing = (times: number, error: Error): jest.Mock => {
    const work = jest.fn().mockResolvedValue('done');
    for (let time = 0; time < times; time += 1) work.mockRejectedValueOnce(error);
    return work;
  };
  const run = (work: jest.Mock, priority: CallPriority): Promise<unknown> =>
    retryWhileUnavailable(provider, { priority }, work);

  beforeEach(() => profile.mockReset().mockResolvedValue({}));

  it.each([
    ['unavailable', new ProviderUnavailable()],
    ['out of quota', new ProviderRateLimited(new Date())],
  ])('should wait in the background until a provider that is %s responds again', async (_name, error) => {
    const work = failing(4, error);
    await expect(run(work, 'background')).resolves.toBe('done');
    expect(work).toHaveBeenCalledTimes(5);
    expect(profile).toHaveBeenCalledTimes(4);
  });

  it('should throw after five attempts', async () => {
    const work = failing(6, new ProviderUnavailable());
    await expect(run(work, 'background')).rejects.toThrow(ProviderUnavailable);
    expect(work).toHaveBeenCalledTimes(5);
  });

  it.each([
    ['an interactive caller', 'interactive', new ProviderUnavailable()],
    ['another error', 'background', new MailboxDisconnected()],
  ] as const)('should throw at once for %s', async (_name, priority, error) => {
    const work = failing(1, error);
    await expect(run(work, priority)).rejects.toBe(error);
    expect(profile).not.toHaveBeenCalled();
  });

  it('should throw when the wait itself fails', async () => {
    profile.mockRejectedValue(new MailboxDisconnected());
    await expect(run(failing(1, new ProviderUnavailable()), 'background')).rejects.toThrow(
      MailboxDisconnected,
    );
  });
});
