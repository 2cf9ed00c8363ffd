import { loadConfig } from '../../platform/config/load-config';
import { limitsOf, unitCost } from './provider-limits';

const SECRETS = { JWT_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: 'a'.repeat(64) };

describe('limitsOf', () => {
  it('should be the configured limits of each provider', () => {
    const config = loadConfig({ ...SECRETS, PROVIDER_CONCURRENCY: '4', IMAP_CONCURRENCY: '5' });
    expect(limitsOf(config, 'gmail')).toMatchObject({
      unitsPerSecond: 250,
      concurrency: 4,
      maxConcurrency: 32,
    });
    expect(limitsOf(config, 'imap')).toEqual({
      unitsPerSecond: 20,
      unitsPerMinute: 600,
      unitCosts: {},
      defaultUnitCost: 1,
      concurrency: 5,
      maxConcurrency: 5,
      sequential: true,
    });
    expect(limitsOf(loadConfig(SECRETS), 'imap')).toMatchObject({ concurrency: 2, maxConcurrency: 3 });
  });

  it('should have no others', () => {
    expect(() => limitsOf(loadConfig(SECRETS), 'pigeon')).toThrow('pigeon');
  });
});

describe('unitCost', () => {
  const config = loadConfig({ ...SECRETS, IMAP_UNIT_COSTS: 'SEARCH=5, APPEND=2' });

  it('should be one for commands that are not listed', () => {
    const limits = limitsOf(config, 'imap');
    expect(['SEARCH', 'APPEND', 'FETCH'].map((command) => unitCost(limits, command))).toEqual([5, 2, 1]);
  });

  it('should require a cost for each of Gmail’s methods', () => {
    const limits = limitsOf(config, 'gmail');
    expect(unitCost(limits, 'messages.list')).toBe(5);
    expect(() => unitCost(limits, 'FETCH')).toThrow('FETCH');
  });
});
