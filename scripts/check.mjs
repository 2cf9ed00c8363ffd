import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, run, secondsSince } from './lib/commands.mjs';
import { SILENCE_MS } from './lib/pace.mjs';
import { failedFiles, jestResult, printSummary, stepResult, withSecondRun } from './lib/test-report.mjs';
import { reportStepTimes, timed } from './lib/step-times.mjs';
import { runScript } from './setup.mjs';

const BIN = join(ROOT, 'node_modules', '.bin');
/** TypeScript 7, an alias: `tsc` itself is the one that builds. */
const NATIVE_TSC = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');

const require = createRequire(import.meta.url);

/** Number of failed specs up to which CI repeats them. More failures than this are no accident of a busy machine. */
export const RUN_AGAIN = process.env.CI ? 3 : 0;

const JEST_RUNS = { unit: 'unit tests', medium: 'medium tests', e2e: 'end-to-end tests' };

/** Results of checks, by which the next run checks again only what has changed. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'checks');

const typesOf = (name, project) => {
  const info = join(CACHE, `${project.replaceAll('/', '-')}.tsbuildinfo`);
  const args = ['--noEmit', '--incremental', '--tsBuildInfoFile', info, '-p', project];
  return { name: `types of ${name}`, program: process.execPath, args: [NATIVE_TSC, ...args] };
};

/** Checks of `npm test`: they take long for what a commit rarely breaks. */
const OF_EVERY_CHANGE = [
  {
    name: 'unused code and packages',
    program: 'knip',
    args: ['--no-progress', '--cache', '--cache-location', join(CACHE, 'knip')],
  },
  { name: 'openapi', program: process.execPath, args: [join(ROOT, 'scripts', 'openapi-lint.mjs')] },
  { name: 'licences', program: process.execPath, args: [join(ROOT, 'scripts', 'licenses.mjs'), '--check'] },
];

/** Checks that run beside the unit tests, those first that use one core; their output is shown when they are done. */
const BESIDE_UNIT_TESTS = [
  {
    name: 'architecture',
    program: 'depcruise',
    args: [
      'src',
      'sandbox/src',
      'sdk/src',
      'web/src',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err-long',
      '--cache',
      join(CACHE, 'dependency-cruiser'),
      '--cache-strategy',
      'content',
    ],
  },
  typesOf('the SDK', 'sdk/tsconfig.json'),
  typesOf('the web client', 'web/tsconfig.json'),
  typesOf('its journeys', 'test/web/tsconfig.json'),
  { name: 'format', program: 'oxfmt', args: ['--check'], remedy: 'npm run format' },
  { name: 'lint', program: 'oxlint', args: [] },
];

async function staticCheck(check) {
  return timed(() => runCheck(check));
}

async function runCheck({ name, program, args, remedy }) {
  const startedAt = Date.now();
  const { ok, output } = await run(resolve(BIN, program), args, { capture: true, silenceMs: SILENCE_MS });
  console.log(`${ok ? '✓' : '✗'} ${name} (${secondsSince(startedAt)})`);
  if (!ok) console.log(output.trimEnd());
  if (!ok && remedy) console.log(`Run \`${remedy}\`.`);
  return stepResult(name, ok);
}

/** Checks all types, and keeps the JavaScript for Jest, which need not compile anything then. */
async function checkTypes() {
  // Needs packages, which were not there when this file was loaded.
  const { EMITTED, keepBuilt } = require('../test/support/run/typescript.js');
  // What the compiler remembers lies in the same folder as what it has made: they cannot part.
  const args = [
    '-p',
    'tsconfig.json',
    '--outDir',
    EMITTED,
    '--tsBuildInfoFile',
    join(EMITTED, 'tsbuildinfo'),
  ];
  const result = await staticCheck({
    name: 'types',
    program: process.execPath,
    args: [NATIVE_TSC, ...args],
  });
  keepBuilt(EMITTED, ['src', 'sandbox/src', 'migrations', 'bench', 'test', 'sdk/src', 'sdk/test']);
  return result;
}

async function jestRun(project, extra, { env, name }) {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-report-'));
  const report = join(folder, 'jest.json');
  try {
    const args = ['--selectProjects', project, '--json', `--outputFile=${report}`, ...extra];
    // With --json Jest prints the report to standard output, which the file holds already.
    const script = `exec "$0" "$@" >/dev/null`;
    const { ok } = await run('sh', ['-c', script, join(BIN, 'jest'), ...args], {
      env,
      silenceMs: SILENCE_MS,
    });
    return { result: jestResult(name, ok, report), failed: failedFiles(report) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs one Jest project with its output shown and reads its figures; `env` and `name` for a run on another Node. Up to
 * `again` specs that fail run once more by themselves: on a busy machine one of hundreds sometimes waits too long for
 * something. Their names are printed, so that the cause is looked for.
 */
export function runJest(project, extra = [], { env, name = JEST_RUNS[project], again = 0 } = {}) {
  return timed(() => runSpecs(project, extra, { env, name, again }));
}

async function runSpecs(project, extra, { env, name, again }) {
  const first = await jestRun(project, extra, { env, name });
  if (first.failed.length === 0 || first.failed.length > again) return first.result;
  console.log(`\nOnce more, by themselves:\n${first.failed.join('\n')}`);
  const second = await jestRun(project, ['--runInBand', '--runTestsByPath', ...first.failed], { env, name });
  const outcome = second.result.ok ? 'passed' : 'failed again';
  console.log(`\nSpecs that failed and then ${outcome} by themselves: ${first.failed.length}`);
  return withSecondRun(first.result, second.result);
}

/** Runs the tests of the web client's components. */
async function runComponentTests() {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-report-'));
  const report = join(folder, 'vitest.json');
  try {
    const args = ['run', '--root', 'web', '--reporter=default', '--reporter=json', `--outputFile=${report}`];
    const startedAt = Date.now();
    const { ok, output } = await run(join(BIN, 'vitest'), args, { capture: true, silenceMs: SILENCE_MS });
    console.log(`${ok ? '✓' : '✗'} component tests (${secondsSince(startedAt)})`);
    if (!ok) console.log(output.trimEnd());
    return jestResult('component tests', ok, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runBesideUnitTests(checks) {
  const results = [];
  for (const check of checks) results.push(await staticCheck(check));
  return [...results, await timed(runComponentTests)];
}

/**
 * Runs what needs no running service: format, lint, types, architecture rules, unit and component tests.
 * @param isWhole adds unused code, the OpenAPI document and licences
 */
export async function runChecks({ isWhole }) {
  // The compiler takes all cores there are, and the unit tests need what it makes.
  const types = await checkTypes();
  console.log('\nUnit tests');
  const [beside, unit] = await Promise.all([
    runBesideUnitTests([...(isWhole ? OF_EVERY_CHANGE : []), ...BESIDE_UNIT_TESTS]),
    // By default Jest leaves one core free for other programs.
    runJest('unit', ['--maxWorkers=100%'], { again: RUN_AGAIN }),
  ]);
  return [types, ...beside, unit];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runScript(async () => {
    const results = await runChecks({ isWhole: false });
    reportStepTimes('check', results);
    if (!printSummary(results)) process.exitCode = 1;
  });
}
