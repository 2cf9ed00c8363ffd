import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ name: string, ok: boolean, passed: number, failed: number, skipped: number, reasons?: string[] }} StepResult
 * Figures of one step: of a run of tests its tests, of any other step nothing but a failure. `reasons` has a line for
 * each failed test.
 */

/** The result of a step that runs no tests: a failed one counts as one failure. */
export function stepResult(name, ok) {
  return { name, ok, passed: 0, failed: ok ? 0 : 1, skipped: 0 };
}

/**
 * The result of a Jest or Vitest run from its report as JSON. A suite that could not run,
 * and a run that failed without naming a test, count as failures too.
 */
export function jestResult(name, ok, file) {
  if (!existsSync(file)) return stepResult(name, false);
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const named = report.numFailedTests + (report.numRuntimeErrorTestSuites ?? 0);
  const failed = ok ? named : Math.max(1, named);
  const skipped = report.numPendingTests + report.numTodoTests;
  const reasons = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0])}`);
  return { name, ok: failed === 0, passed: report.numPassedTests, failed, skipped, reasons };
}

/** The result of a Playwright run from its report as JSON. A run that was cut off, say by its time-out, has failed. */
export function playwrightResult(name, ok, file) {
  if (!existsSync(file)) return stepResult(name, false);
  const { stats, suites, errors } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = ok ? stats.unexpected : Math.max(1, stats.unexpected);
  const reasons = [...errors.map(({ message }) => firstLine(message)), ...suites.flatMap(unexpectedOf)];
  const passed = stats.expected + stats.flaky;
  return { name, ok: failed === 0, passed, failed, skipped: stats.skipped, reasons };
}

/** A line for each test of a Playwright suite that failed. */
function unexpectedOf({ suites = [], specs }) {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const result = tests.flatMap(({ results }) => results).findLast(({ status }) => status !== 'passed');
      return `${file} › ${title}: ${firstLine(result?.error?.message ?? 'it did not run')}`;
    });
  return [...own, ...suites.flatMap(unexpectedOf)];
}

/** The first line of a message, without the colours of a terminal. */
function firstLine(message = '') {
  return stripVTControlCharacters(message).split('\n')[0];
}

/** The files of the specs that failed, from a report as JSON; none without a report. */
export function failedFiles(file) {
  if (!existsSync(file)) return [];
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
}

/** The result of a run of which some specs ran again by themselves: what passed there counts as passed. */
export function withSecondRun(first, second) {
  const mended = Math.max(0, first.failed - second.failed);
  return {
    ...first,
    ok: second.ok,
    passed: first.passed + mended,
    failed: second.failed,
    reasons: second.reasons,
  };
}

/** Prints the figures of all steps, ending with the line `N passed, N failed[, N skipped]`. */
export function printSummary(results) {
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const broken = results.filter((result) => !result.ok);
  if (broken.length > 0) {
    console.log(`\nFailed: ${broken.map(({ name }) => name).join(', ')}`);
    for (const reason of broken.flatMap(({ reasons = [] }) => reasons)) console.log(`  ${reason}`);
  }
  const skipped = sum('skipped');
  console.log(
    `\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  return broken.length === 0;
}
