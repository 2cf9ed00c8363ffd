import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './lib/build.mjs';
import { ROOT, secondsSince, ReadableFailure } from './lib/commands.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { ensureSystemPackages, ensureTestPeers, requirePostgres } from './lib/system-packages.mjs';

/** Prints a step of the set-up. */
export function say(line) {
  console.log(`• ${line}`);
}

function requirePlatform() {
  if (process.platform !== 'linux' && !(process.env.DATABASE_URL && process.env.REDIS_URL)) {
    throw new ReadableFailure(
      'The built-in PostgreSQL and Redis need Linux: set DATABASE_URL and REDIS_URL to servers of your own.',
    );
  }
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines.node.replace('>=', '');
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
    throw new ReadableFailure(
      `Node ${wanted} or later is needed and this is ${process.versions.node}: install a newer Node.js.`,
    );
  }
}

/**
 * Brings a fresh clone to the point where the service can start. Does only what is missing: a second run
 * does nothing.
 *
 * @param {{ build?: boolean, testPeers?: boolean }} [options] build false leaves the compiled code alone; testPeers
 *   also installs what the end-to-end tests talk to
 * @throws ReadableFailure with one sentence on what to install or set
 */
export async function setUp({ build = true, testPeers = false } = {}) {
  requirePlatform();
  const systemPackages = async () => {
    await ensureSystemPackages(say);
    if (testPeers) await ensureTestPeers(say);
  };
  // Both mostly wait for what they download.
  await Promise.all([ensureDependencies(say), systemPackages()]);
  requirePostgres();
  if (build) await ensureBuild(say);
}

/** Runs a script's main function; what the person can mend is printed as a sentence, without a stack. */
export async function runScript(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof ReadableFailure ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runScript(async () => {
    const startedAt = Date.now();
    await setUp({
      build: !process.argv.includes('--no-build'),
      testPeers: process.argv.includes('--test-peers'),
    });
    say(`Set-up is complete (${secondsSince(startedAt)})`);
  });
}
