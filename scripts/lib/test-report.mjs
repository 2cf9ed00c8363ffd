import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ name: string, ok: boolean, passed: number, failed: number, skipped: number }} StepResult
 * Figures of one step: of a Jest run its tests, of any other step nothing but a failure.
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
  return { name, ok: failed === 0, passed: report.numPassedTests, failed, skipped };
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
  return { ...first, ok: second.ok, passed: first.passed + mended, failed: second.failed };
}

/** Prints the figures of all steps, ending with the line `N passed, N failed[, N skipped]`. */
export function printSummary(results) {
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  const broken = results.filter((result) => !result.ok).map((result) => result.name);
  if (broken.length > 0) console.log(`\nFailed: ${broken.join(', ')}`);
  const skipped = sum('skipped');
  console.log(
    `\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  return broken.length === 0;
}
