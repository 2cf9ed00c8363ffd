import { postgresSettings } from './postgres-cluster';

const GIB = 1024 ** 3;

describe('postgresSettings', () => {
  it('should give up crash safety only when durability is off', () => {
    expect(postgresSettings(GIB, true)).toMatchObject({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
    });
    expect(postgresSettings(GIB, false)).toMatchObject({ fsync: 'off', synchronous_commit: 'off' });
  });

  it('should take the services of a whole test run, and those of one installation', () => {
    expect(postgresSettings(GIB, false).max_connections).toBe('400');
    expect(postgresSettings(GIB, true).max_connections).toBe('100');
  });

  it.each([
    [1, '128MB', '512MB'],
    [4, '256MB', '2048MB'],
  ])('should fit a machine of %d GiB', (gib, sharedBuffers, cacheSize) => {
    const settings = postgresSettings(gib * GIB, true);
    expect(settings).toMatchObject({ shared_buffers: sharedBuffers, effective_cache_size: cacheSize });
  });
});
