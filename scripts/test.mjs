import { run, secondsSince, ReadableFailure } from './lib/commands.mjs';
import { ensureBuild } from './lib/build.mjs';
import { ensureTestPeers } from './lib/system-packages.mjs';
import { printSummary, stepResult } from './lib/test-report.mjs';
import { runChecks, runJest } from './check.mjs';
import { runScript, say, setUp } from './setup.mjs';

const REHEARSE = process.argv.includes('--rehearsal');
const KNOWN_FLAGS = new Set(['--rehearsal']);

async function step(name, program, args) {
  console.log(`\n${name}`);
  const startedAt = Date.now();
  const { ok } = await run(program, args);
  console.log(`${ok ? '✓' : '✗'} ${name} (${secondsSince(startedAt)})`);
  return stepResult(name, ok);
}

async function build() {
  try {
    await ensureBuild(say);
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
  const results = await runChecks();
  const built = await build();
  results.push(built);
  // Without compiled code the rest would only repeat the same failure.
  if (built.ok) {
    results.push(await step('OpenAPI document', 'npm', ['run', '--silent', 'openapi:check']));
    results.push(await step('migrations', 'npm', ['run', '--silent', 'migrations:check']));
    console.log('\nEnd-to-end tests');
    results.push(await runJest('e2e', ['--maxWorkers=2']));
    if (REHEARSE) {
      results.push(await step('container rehearsal', 'node', ['scripts/container-rehearsal.mjs']));
    }
  }
  say(`Finished in ${secondsSince(startedAt)}`);
  if (!printSummary(results)) process.exitCode = 1;
});
