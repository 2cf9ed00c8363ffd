import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run, secondsSince, ReadableFailure } from './lib/commands.mjs';
import { ensureBuild } from './lib/build.mjs';
import { node24Environment } from './lib/node24.mjs';
import { SILENCE_MS } from './lib/pace.mjs';
import { playwrightResult, printSummary, stepResult } from './lib/test-report.mjs';
import { reportStepTimes, timed } from './lib/step-times.mjs';
import { TestRun } from './lib/test-run.mjs';
import { RUN_AGAIN, runChecks, runJest } from './check.mjs';
import { runScript, say, setUp } from './setup.mjs';

/**
 * `--all`: what is left to the night too (see docs/testing.md); `--rehearsal`: the container as well, and the tests that
 * depend on Node on that of the image; `--node24`: everything on that Node.
 */
const ALL = process.argv.includes('--all');
const REHEARSE = ALL || process.argv.includes('--rehearsal');
const NODE24_FLAG = '--node24';
const ON_NODE24 = process.versions.node.startsWith('24.');
/**
 * Specs that depend on Node rather than on our rules: HTTP, streams, files, compression, TLS, processes, threads. In a
 * rehearsal these run on Node 24 in place of the Node that is there, as they take long; `--all` runs all specs on both.
 */
const NODE24_SAMPLE =
  'test/e2e/(archive/(attachments|buckets|export|files|imports|mails)|notify|mailbox/live-updates|platform/(egress|events))/';
/** Specs that compare times: nothing else may run beside them. */
const TIMED = 'test/tenancy/';
/** Minutes of the load test, which lasts for half an hour by default. */
const SOAK_SAMPLE_MINUTES = '2';
/** Processes that end with another one take a moment for it. */
const PATIENCE_AT_END_MS = 15_000;
/** More workers than the two cores that are always there: a spec waits much of the time, and both cores are to be busy. */
const E2E_WORKERS = 5;
/** A worker and its database take turns: with one worker more than cores both are busy. */
const MEDIUM_WORKERS = 3;
const KNOWN_FLAGS = new Set(['--all', '--rehearsal', NODE24_FLAG]);

/** With `quiet` the output is shown when it is over, for what runs beside something else. */
function step(name, program, args, options) {
  return timed(() => runStep(name, program, args, options));
}

async function runStep(name, program, args, { quiet = false } = {}) {
  if (!quiet) console.log(`\n${name}`);
  const startedAt = Date.now();
  const { ok, output } = await run(program, args, { capture: quiet, silenceMs: SILENCE_MS });
  if (quiet) console.log(`\n${name}\n${output.trimEnd()}`);
  console.log(`${ok ? '✓' : '✗'} ${name} (${secondsSince(startedAt)})`);
  return stepResult(name, ok);
}

/** Runs the checks that need the build and no more than one core. */
async function runBuiltChecks() {
  const results = [];
  for (const [name, script] of [
    ['OpenAPI document', 'openapi:check'],
    ['clients of the last release', 'openapi:breaks'],
    ['SDK', 'sdk:check'],
    ['size of the web client', 'web:size'],
    ['migrations', 'migrations:check'],
  ])
    results.push(await step(name, 'npm', ['run', '--silent', script], { quiet: true }));
  if (REHEARSE)
    results.push(
      await step('container rehearsal', 'node', ['scripts/container-rehearsal.mjs', '--built'], {
        quiet: true,
      }),
    );
  return results;
}

/** Runs the specs of features on a database, without the rest of the service. */
function runMedium() {
  console.log('\nMedium tests');
  return runJest('medium', [`--maxWorkers=${MEDIUM_WORKERS}`], { again: RUN_AGAIN });
}

/**
 * The rehearsal mostly waits for npm, the specs for leases and timers: beside each other they take less time.
 * @param elsewhere a pattern of specs that run elsewhere
 */
async function runEndToEnd(elsewhere) {
  console.log('\nEnd-to-end tests');
  const leftOut = [TIMED, elsewhere].filter(Boolean).join('|');
  const [specs, checks] = await Promise.all([
    runJest('e2e', [`--maxWorkers=${E2E_WORKERS}`, '--testPathIgnorePatterns', leftOut], {
      again: RUN_AGAIN,
    }),
    runBuiltChecks(),
  ]);
  console.log('\nEnd-to-end tests that compare times');
  const timed = await runJest('e2e', ['--runInBand', '--testPathPatterns', TIMED], {
    name: 'end-to-end tests that compare times',
    again: RUN_AGAIN,
  });
  return [...checks, specs, timed];
}

/**
 * Runs the journeys in a real browser, against the built service: for every change the main ones, in a rehearsal all.
 */
async function runJourneys() {
  console.log('\nJourneys in the browser');
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-report-'));
  const report = join(folder, 'journeys.json');
  try {
    const env = { ...process.env, JOURNEYS_REPORT: report, JOURNEYS: REHEARSE ? 'all' : 'change' };
    const { ok } = await run('npm', ['run', '--silent', 'test:journeys'], { env, silenceMs: SILENCE_MS });
    return playwrightResult('journeys in the browser', ok, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs on the Node of the image: with `--all` the unit, medium and end-to-end tests of every change, else what depends on Node.
 */
async function runOnNode24() {
  const env = { ...(await node24Environment(say)), TEST_TIER: '' };
  const runs = [
    ['unit', 'unit tests on Node 24', ['--maxWorkers=100%']],
    ['medium', 'medium tests on Node 24', [`--maxWorkers=${MEDIUM_WORKERS}`]],
    ['e2e', 'end-to-end tests on Node 24', [`--maxWorkers=${E2E_WORKERS}`]],
  ];
  const results = [];
  for (const [project, name, args] of ALL ? runs : runs.slice(-1)) {
    console.log(`\n${name}`);
    const sample = ALL ? ['--testPathIgnorePatterns', TIMED] : ['--testPathPatterns', NODE24_SAMPLE];
    results.push(await runJest(project, [...args, ...sample], { env, name, again: RUN_AGAIN }));
  }
  return results;
}

/** Runs this script with the same options on Node 24. */
async function continueOnNode24() {
  const env = await node24Environment(say);
  const options = process.argv.slice(2).filter((flag) => flag !== NODE24_FLAG);
  const { ok } = await run('node', [process.argv[1], ...options], { env });
  if (!ok) process.exitCode = 1;
}

/** Ends what is left of a run: a process that remains is a failure. */
async function endRun(testRun) {
  const left = await testRun.end(PATIENCE_AT_END_MS);
  if (left.length > 0) console.log(`\nStill running after the tests:\n${left.join('\n')}`);
  return stepResult('processes that tests leave behind', left.length === 0);
}

async function build() {
  try {
    await ensureBuild(say);
    // Needs packages, which were not there when this file was loaded.
    const { keepBuilt } = createRequire(import.meta.url)('../test/support/run/typescript.js');
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
  if (process.argv.includes(NODE24_FLAG) && !ON_NODE24) return continueOnNode24();
  const startedAt = Date.now();
  if (ALL) process.env.TEST_TIER = 'all';
  const testRun = new TestRun();
  process.env.TEST_COVERAGE = mkdtempSync(join(tmpdir(), 'mailroom-coverage-'));
  await setUp({ build: false, testPeers: true });
  console.log('\nChecks');
  // The compiler uses one core, and so does the longest of the checks.
  const [results, built] = await Promise.all([runChecks({ isWhole: true }), build()]);
  results.push(built);
  // Without compiled code the rest would only repeat the same failure.
  if (built.ok) {
    const onNode24 = REHEARSE && !ON_NODE24;
    results.push(await runMedium());
    results.push(...(await runEndToEnd(onNode24 && !ALL ? NODE24_SAMPLE : undefined)));
    if (onNode24) results.push(...(await runOnNode24()));
    results.push(await step('routes and kinds of jobs', 'node', ['scripts/test-coverage.mjs']));
    results.push(await timed(runJourneys));
    if (ALL) {
      const soak = ['scripts/soak.mjs', 'load', '--minutes', SOAK_SAMPLE_MINUTES];
      results.push(await step('soak sample', 'node', soak));
    }
  }
  results.push(await endRun(testRun));
  say(`Finished in ${secondsSince(startedAt)}`);
  const whole = { name: 'whole run', seconds: (Date.now() - startedAt) / 1000 };
  reportStepTimes(ALL ? 'test:all' : REHEARSE ? 'rehearsal' : 'test', [...results, whole]);
  if (!printSummary(results)) process.exitCode = 1;
});
