import { existsSync } from 'node:fs';

const DEBIAN = '/usr/bin/chromium';

/**
 * The browser of the system's packages; `CHROMIUM` names another one.
 * @throws Error with one sentence on what to install
 */
export function chromiumOf(env: Readonly<Record<string, string | undefined>>): string {
  const path = env['CHROMIUM'] ?? DEBIAN;
  if (existsSync(path)) return path;
  const missing = new Error(
    `There is no Chromium at ${path}: run \`apt-get install chromium\`, or set CHROMIUM.`,
  );
  // Where it was looked for helps nobody.
  missing.stack = missing.message;
  throw missing;
}
