import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Modules whose exports every feature may inject without importing them: the base of the process, and the ports. */
const GLOBAL = [
  'config.module.ts',
  'crypto.module.ts',
  'database.module.ts',
  'egress.module.ts',
  'ports.module.ts',
  'rate-limit.module.ts',
  'redis.module.ts',
  'workers.module.ts',
];

describe('Global modules', () => {
  it('should be listed: every other module is imported by the modules that use it', () => {
    const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' });
    const modules = files.filter((file) => file.endsWith('.module.ts'));
    const global = modules.filter((file) =>
      /^@Global\(\)/m.test(readFileSync(join(__dirname, file), 'utf8')),
    );

    expect(modules.length).toBeGreaterThan(50);
    expect(global.map((file) => basename(file)).toSorted()).toEqual(GLOBAL);
  });
});
