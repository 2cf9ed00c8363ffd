import { defineConfig } from '@playwright/test';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readPace } from '../support/run/pace.js';
import { chromiumOf } from './support/chromium';

/** How many times longer than on an ordinary machine everything may take here. */
const PACE = readPace();

/** `change`: the journeys that every change has to pass, marked with @change; all of them otherwise. */
const TIER = process.env['JOURNEYS'] ?? 'all';

/** With more, the longest journey alone decides how long they take. */
const MOST_WORKERS = 4;

/** Where a summary of all steps reads what failed. */
const REPORT = process.env['JOURNEYS_REPORT'];

/** Journeys in a real browser, against the built service with its sandbox mailbox. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.web-spec.ts',
  ...(TIER === 'change' && { grep: /@change\b/ }),
  outputDir: join(__dirname, '../../node_modules/.cache/journeys'),
  // Each worker has a service of its own, with its own database, and a browser: together they keep a core busy.
  workers: Math.min(Math.max(availableParallelism(), 2), MOST_WORKERS),
  fullyParallel: true,
  // Most take less than 20 seconds on two free cores.
  timeout: 120_000 * PACE,
  // As with the end-to-end specs; the list says which test is flaky.
  retries: process.env['CI'] ? 1 : 0,
  // None for all of them together: a test that hangs has a limit of its own.
  expect: { timeout: 15_000 * PACE },
  reporter: REPORT === undefined ? [['list']] : [['list'], ['json', { outputFile: REPORT }]],
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/Paris',
    // Snapshots need a script in each frame, which the frames of mails refuse with an error in the console.
    trace: {
      // Recording takes time, which the second try in CI has.
      mode: process.env['CI'] ? 'on-first-retry' : 'retain-on-failure',
      snapshots: false,
      screenshots: false,
    },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromiumOf(process.env),
      // Its own sandbox needs a user that is not root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
});
