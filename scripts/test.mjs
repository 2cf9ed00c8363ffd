import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT, run, secondsSince, ReadableFailure } from './lib/commands.mjs';
import { ensureBuild } from './lib/build.mjs';
import { ensureTestPeers } from './lib/system-packages.mjs';
import { printSummary, stepResult } from './lib/test-report.mjs';
import { runChecks, runJest } from './check.mjs';
import { runScript, say, setUp } from './setup.mjs';

const REHEARSE = process.argv.includes('--rehearsal');
/** More than the two cores that are always there: much of the time a spec waits. */
const E2E_WORKERS = 4;
const KNOWN_FLAGS = new Set(['--rehearsal']);

/** With `quiet` the output is shown when it is over, for what runs beside something else. */
async function step(name, program, args, { quiet = false } = {}) {
  if (!quiet) console.log(`\n${name}`);
  const startedAt = Date.now();
  const { ok, output } = await run(program, args, { capture: quiet });
  if (quiet) console.log(`\n${name}\n${output.trimEnd()}`);
  console.log(`${ok ? '✓' : '✗'} ${name} (${secondsSince(startedAt)})`);
  return stepResult(name, ok);
}

/** The rehearsal mostly waits for npm, the specs for leases and timers: beside each other they take less time. */
async function runEndToEnd() {
  console.log('\nEnd-to-end tests');
  const running = [runJest('e2e', [`--maxWorkers=${E2E_WORKERS}`])];
  if (REHEARSE) {
    const script = ['scripts/container-rehearsal.mjs', '--built'];
    running.push(step('container rehearsal', 'node', script, { quiet: true }));
  }
  return Promise.all(running);
}

async function build() {
  try {
    await ensureBuild(say);
    // Needs packages, which were not there when this file was loaded.
    const { keepBuilt } = createRequire(import.meta.url)('../test/support/jest/native-require.js');
    keepBuilt(join(ROOT, 'dist'), ['src', 'sandbox/src', 'migrations']);
    return stepResult('build', true);
  } catch (error) {
    if (!(error instanceof ReadableFailure)) throw error;
    console.log(error.message);
    return stepResult('build', false);
  }
}

await runScript(async () => {
  const unknown = process.argv.slice(2).find((flag) => !KNOWN_FLAGS.has(flag));
  if (unknown)
    throw new ReadableFailure(`Unknown option ${unknown}: npm test takes ${[...KNOWN_FLAGS].join(', ')}.`);
  const startedAt = Date.now();
  await setUp({ build: false });
  await ensureTestPeers(say);
  console.log('\nChecks');
  // The compiler uses one core, and so does the longest of the checks.
  const [results, built] = await Promise.all([runChecks(), build()]);
  results.push(built);
  // Without compiled code the rest would only repeat the same failure.
  if (built.ok) {
    results.push(await step('OpenAPI document', 'npm', ['run', '--silent', 'openapi:check']));
    results.push(await step('SDK', 'npm', ['run', '--silent', 'sdk:check']));
    results.push(await step('migrations', 'npm', ['run', '--silent', 'migrations:check']));
    results.push(...(await runEndToEnd()));
  }
  say(`Finished in ${secondsSince(startedAt)}`);
  if (!printSummary(results)) process.exitCode = 1;
});
