import files from 'node:fs/promises';
import type { DatabaseProbe } from '../../platform/database/database.module';
import type { RedisService } from '../../platform/redis/redis.service';
import type { AppConfig } from '../../platform/config/app-config';
import { HealthService } from './health.service';

describe('HealthService', () => {
  let written: jest.SpiedFunction<typeof files.writeFile>;

  function create(): HealthService {
    const answers = (): Promise<unknown> => Promise.resolve('PONG');
    const redis = { client: { ping: answers } } as unknown as RedisService;
    const config = { storage: { archiveDir: '/archive' } } as AppConfig;
    return new HealthService({ ping: answers } as unknown as DatabaseProbe, redis, config);
  }

  beforeEach(() => {
    written = jest.spyOn(files, 'writeFile').mockResolvedValue();
    jest.spyOn(files, 'mkdir').mockResolvedValue(undefined);
    jest.spyOn(files, 'rm').mockResolvedValue();
  });
  afterEach(() => jest.restoreAllMocks());

  it('should run one probe of the storage at a time, however many callers ask', async () => {
    const sut = create();
    await Promise.all([sut.assertReady(), sut.assertReady(), sut.assertReady()]);
    expect(written).toHaveBeenCalledTimes(1);
    await sut.assertReady();
    expect(written).toHaveBeenCalledTimes(2);
  });

  it('should name the storage that fails, and check it again', async () => {
    const sut = create();
    written.mockRejectedValueOnce(new Error('EIO'));
    await expect(sut.assertReady()).rejects.toMatchObject({ errors: [{ field: 'storage' }] });
    await expect(sut.assertReady()).resolves.toBeUndefined();
  });
});
