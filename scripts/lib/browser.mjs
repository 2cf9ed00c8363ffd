import { existsSync } from 'node:fs';
import { findProgram, ReadableFailure } from './commands.mjs';

/** The first is smaller and faster: it is the same engine without the windows of a browser. */
export const BROWSERS = ['chromium-headless-shell', 'chromium'];

/**
 * Options that start the browser of the system's packages for scripts that take pictures; `CHROMIUM` names another one.
 */
export function browserOptions() {
  const executablePath = process.env.CHROMIUM ?? BROWSERS.map(findProgram).find(Boolean);
  if (!executablePath || !existsSync(executablePath))
    throw new ReadableFailure(
      `There is no Chromium: run \`apt-get install ${BROWSERS[0]}\`, or set CHROMIUM.`,
    );
  // Its own sandbox needs a user that is not root.
  return { executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] };
}
