import { readPace } from '../../support/run/pace.js';

/** A time-out that fits this machine, from one for an ordinary machine; both in milliseconds. */
export const patient = (ms: number): number => ms * readPace();
