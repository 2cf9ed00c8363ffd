import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The nearest package.json above this file: one level up from `src`, two from `dist/src`. */
function readVersion(): string {
  const depth = __filename.endsWith('.ts') ? '..' : join('..', '..');
  const { version } = JSON.parse(readFileSync(join(__dirname, depth, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

export const SERVICE_VERSION = readVersion();
