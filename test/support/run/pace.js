const { pbkdf2Sync } = require('node:crypto');
const { availableParallelism } = require('node:os');

/** The time that the sample takes on one free core of an ordinary machine, in milliseconds. */
const ORDINARY_SAMPLE_MS = 60;
const SAMPLE_ITERATIONS = 60_000;
const SAMPLES = 3;
/** The time-outs are made for two cores. */
const ORDINARY_CORES = 2;
/** A machine that others use may be slower later than when it was measured. */
const HEADROOM = 2;
/** A machine that is slower than this hangs. */
const SLOWEST = 40;

/** The time one fixed piece of work takes, in milliseconds: hashing, and objects for the garbage collector. */
function takeSample() {
  const startedAt = process.hrtime.bigint();
  pbkdf2Sync('pace', 'salt', SAMPLE_ITERATIONS, 64, 'sha512');
  for (let round = 0; round < 20; round += 1)
    JSON.parse(JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ id, name: `message ${id}` }))));
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}

/**
 * How many times slower than an ordinary machine with two cores this one is, 1 at the least. Time-outs of tests are
 * multiplied by it, so that no result of a run depends on the machine. It is measured once a run, and handed on to
 * all processes of the run in TEST_PACE.
 */
function readPace() {
  process.env.TEST_PACE ??= measurePace().toFixed(2);
  const pace = Number(process.env.TEST_PACE);
  if (!(pace >= 1)) throw new Error('TEST_PACE must be a number of 1 or more');
  return pace;
}

function measurePace() {
  const slowest = Math.max(...Array.from({ length: SAMPLES }, takeSample));
  const cores = Math.max(1, ORDINARY_CORES / availableParallelism());
  return Math.min(SLOWEST, HEADROOM * Math.max(1, (slowest / ORDINARY_SAMPLE_MS) * cores));
}

module.exports = { readPace };
