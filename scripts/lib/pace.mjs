import { createRequire } from 'node:module';

const { readPace } = createRequire(import.meta.url)('../../test/support/run/pace.js');

/** The longest silence of a step of a test run on an ordinary machine. */
const ORDINARY_SILENCE_MS = 10 * 60_000;

/** A step that prints nothing for so long hangs, and is ended. The longest time-out of a test is shorter. */
export const SILENCE_MS = ORDINARY_SILENCE_MS * readPace();
