import { createRequire } from 'node:module';

const { readPace } = createRequire(import.meta.url)('../../test/support/run/pace.js');

/** On an ordinary machine no step of a test run prints nothing for longer. */
const ORDINARY_SILENCE_MS = 10 * 60_000;

/** A step that prints nothing for so long hangs, and is ended. The longest time-out of a test is shorter. */
export const SILENCE_MS = ORDINARY_SILENCE_MS * readPace();
