import { Logger } from '@nestjs/common';
import type { ApiKeysRepository } from './api-keys.repository';
import { ApiKeyUsage } from './api-key-usage';

/** The recorder over a table that answers as the test says. */
function setup(recordUse: () => Promise<void> = async () => undefined) {
  const written = jest.fn(recordUse);
  return { usage: new ApiKeyUsage({ recordUse: written } as unknown as ApiKeysRepository), written };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ApiKeyUsage', () => {
  let clock: jest.SpyInstance;

  beforeEach(() => {
    clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  });
  afterEach(() => jest.restoreAllMocks());

  it('should write once a minute for each key', async () => {
    const { usage, written } = setup();
    usage.record('a');
    usage.record('a');
    usage.record('b');
    clock.mockReturnValue(59_999);
    usage.record('a');
    expect(written.mock.calls.map(([id]: unknown[]) => id)).toEqual(['a', 'b']);
    clock.mockReturnValue(60_000);
    usage.record('a');
    expect(written).toHaveBeenCalledTimes(3);
    await usage.onModuleDestroy();
  });

  it('should survive a database outage, log it once, and write with the next use', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    let away = true;
    const { usage, written } = setup(async () => {
      if (away) throw new Error('away');
    });
    for (let round = 0; round < 3; round += 1) {
      usage.record('a');
      await settled();
    }
    expect([written.mock.calls.length, warned.mock.calls.length]).toEqual([3, 1]);
    away = false;
    usage.record('a');
    await settled();
    usage.record('a');
    expect(written).toHaveBeenCalledTimes(4);
  });

  it('should wait for pending writes before the application ends', async () => {
    let finish = (): void => undefined;
    const { usage } = setup(() => new Promise((resolve) => (finish = resolve)));
    usage.record('a');
    let ended = false;
    const end = usage.onModuleDestroy().then(() => (ended = true));
    await settled();
    expect(ended).toBe(false);
    finish();
    await end;
  });

  it('should remember a limited number of keys', () => {
    const { usage, written } = setup();
    for (let key = 0; key <= 10_000; key += 1) usage.record(`${key}`);
    written.mockClear();
    usage.record('1');
    usage.record('0');
    expect(written.mock.calls.map(([id]: unknown[]) => id)).toEqual(['0']);
  });
});
