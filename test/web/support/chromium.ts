import { existsSync } from 'node:fs';

/** Debian's; the first is smaller and faster: it is the same engine without the windows of a browser. */
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/**
 * The browser of the system's packages; `CHROMIUM` names another one.
 * @throws Error with one sentence on what to install
 */
export function chromiumOf(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['CHROMIUM'];
  const paths = named === undefined ? DEBIAN : [named];
  const found = paths.find(existsSync);
  if (found !== undefined) return found;
  const missing = new Error(
    `There is no Chromium at ${paths.join(' or ')}: run \`apt-get install chromium-headless-shell\`, or set CHROMIUM.`,
  );
  // Where it was looked for helps nobody.
  missing.stack = missing.message;
  throw missing;
}
