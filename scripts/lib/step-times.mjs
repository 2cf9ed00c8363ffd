import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ROOT } from './commands.mjs';

const { readPace } = createRequire(import.meta.url)('../../test/support/run/pace.js');

/** Seconds of each step, measured on two cores with nothing beside them and divided by the measured pace, by run and step. */
const WRITTEN_DOWN = join(ROOT, 'scripts', 'step-times.json');
/** Times of the last run on this machine, in the same form. */
const LAST_RUN = join(ROOT, '.mailroom', 'step-times.json');
/** Part by which a step may be slower than written down before it is reported. */
const TOLERANCE = 0.15;
/** Steps that differ by fewer seconds are not reported. */
const LEAST_SECONDS = 5;

/** Runs a step and adds its duration to its result. */
export async function timed(work) {
  const startedAt = Date.now();
  const result = await work();
  return { ...result, seconds: (Date.now() - startedAt) / 1000 };
}

/**
 * Compares the durations of steps with those that are written down, at the pace of this machine.
 *
 * @param {Record<string, number>} seconds by step
 * @param {Record<string, number>} written by step, at pace 1
 * @returns {string[]} a line for each step that is more than 15 % slower
 */
function slowerSteps(seconds, written, pace) {
  return Object.entries(seconds).flatMap(([name, taken]) => {
    const expected = (written[name] ?? Infinity) * pace;
    if (taken - expected < LEAST_SECONDS || taken <= expected * (1 + TOLERANCE)) return [];
    const percent = Math.round((taken / expected - 1) * 100);
    return [
      `${name}: ${taken.toFixed(0)} s, ${percent} % more than the ${expected.toFixed(0)} s written down`,
    ];
  });
}

/**
 * Writes the durations of a run down, and prints the steps that have become slower. With `UPDATE_STEP_TIMES=1` the durations become
 * those that the next runs are compared with.
 *
 * @param {string} run e.g. `test`
 * @param {{ name: string, seconds?: number }[]} results
 */
export function reportStepTimes(run, results) {
  const timedResults = results.filter(({ seconds }) => seconds !== undefined);
  const seconds = Object.fromEntries(timedResults.map(({ name, seconds: taken }) => [name, taken]));
  const pace = readPace();
  write(LAST_RUN, { ...read(LAST_RUN), [run]: rounded(seconds, 1) });
  const written = read(WRITTEN_DOWN);
  if (process.env.UPDATE_STEP_TIMES) write(WRITTEN_DOWN, { ...written, [run]: rounded(seconds, pace) });
  const slower = slowerSteps(seconds, written[run] ?? {}, pace);
  if (slower.length > 0) console.log(`\nSlower than scripts/step-times.json says:\n  ${slower.join('\n  ')}`);
}

const rounded = (seconds, pace) =>
  Object.fromEntries(Object.entries(seconds).map(([name, taken]) => [name, Math.ceil(taken / pace)]));

const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});

function write(path, times) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(times, null, 2)}\n`);
}
