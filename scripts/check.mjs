import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, run, secondsSince } from './lib/commands.mjs';
import { jestResult, printSummary, stepResult } from './lib/test-report.mjs';
import { runScript } from './setup.mjs';

const BIN = join(ROOT, 'node_modules', '.bin');
/** TypeScript 7, an alias: `tsc` itself is the one that builds. */
const NATIVE_TSC = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');

/** Checks that run side by side, the longest first; their output is shown when they are done. */
const STATIC_CHECKS = [
  { name: 'lint', program: 'oxlint', args: [] },
  { name: 'types', program: process.execPath, args: [NATIVE_TSC, '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'types of the SDK',
    program: process.execPath,
    args: [NATIVE_TSC, '--noEmit', '-p', 'sdk/tsconfig.json'],
  },
  { name: 'unused code and packages', program: 'knip', args: ['--no-progress'] },
  {
    name: 'architecture',
    program: 'depcruise',
    args: [
      'src',
      'sandbox/src',
      'sdk/src',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err-long',
    ],
  },
  { name: 'format', program: 'oxfmt', args: ['--check'] },
  { name: 'openapi', program: process.execPath, args: [join(ROOT, 'scripts', 'openapi-lint.mjs')] },
];

/** Two at a time: on two cores a third only slows the others. */
const SIDE_BY_SIDE = 2;

async function runStaticChecks() {
  const waiting = [...STATIC_CHECKS];
  const results = [];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const startedAt = Date.now();
      const { ok, output } = await run(resolve(BIN, check.program), check.args, { capture: true });
      console.log(`${ok ? '✓' : '✗'} ${check.name} (${secondsSince(startedAt)})`);
      if (!ok) console.log(output.trimEnd());
      results.push(stepResult(check.name, ok));
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return results;
}

/** Runs one Jest project with its output shown and reads its figures. */
export async function runJest(project, extra = []) {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-report-'));
  const report = join(folder, 'jest.json');
  try {
    const args = ['--selectProjects', project, '--json', `--outputFile=${report}`, ...extra];
    // With --json Jest prints the report to standard output, which the file holds already.
    const script = `exec "$0" "$@" >/dev/null`;
    const { ok } = await run('sh', ['-c', script, join(BIN, 'jest'), ...args]);
    return jestResult(project === 'unit' ? 'unit tests' : 'end-to-end tests', ok, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything that needs no running service: format, lint, types, architecture rules and unit tests. */
export async function runChecks() {
  const results = await runStaticChecks();
  console.log('\nUnit tests');
  // By itself Jest leaves a core free, for somebody at the machine.
  results.push(await runJest('unit', ['--maxWorkers=100%']));
  return results;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runScript(async () => {
    if (!printSummary(await runChecks())) process.exitCode = 1;
  });
}
