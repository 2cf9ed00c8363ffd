import { redisConfiguration } from './redis-server';

describe('redisConfiguration', () => {
  const options = {
    port: 7000,
    folder: '/d a/"x"',
    pidFile: '/d/redis.pid',
    password: 'ab12',
    durable: true,
  };

  it('should quote folders with blanks and quotation marks', () => {
    expect(redisConfiguration(options)).toContain('dir "/d a/\\"x\\""\n');
  });

  it('should keep keys on disk and never evict one', () => {
    const lines = redisConfiguration(options).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['appendonly yes', 'maxmemory-policy noeviction', 'save ""']),
    );
    expect(lines).toContain('appendfsync everysec');
    expect(redisConfiguration({ ...options, durable: false })).toContain('appendfsync no');
  });
});
