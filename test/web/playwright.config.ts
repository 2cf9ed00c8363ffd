import { defineConfig } from '@playwright/test';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { chromiumOf } from './support/chromium';

/** They take a third of it on two free cores: machines differ, and are shared. */
const CI_MINUTES = 11;

/** With more, the longest journey alone decides how long they take. */
const MOST_WORKERS = 4;

/** Where a summary of all steps reads what failed. */
const REPORT = process.env['JOURNEYS_REPORT'];

/** Journeys in a real browser, against the built service with its sandbox mailbox. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.web-spec.ts',
  outputDir: join(__dirname, '../../node_modules/.cache/journeys'),
  // Each worker has a service of its own, with its own database, and a browser: together they keep a core busy.
  workers: Math.min(Math.max(availableParallelism(), 2), MOST_WORKERS),
  fullyParallel: true,
  // Most take less than 20 seconds on two free cores.
  timeout: 120_000,
  // As with the end-to-end specs; the list says which test is flaky.
  retries: process.env['CI'] ? 1 : 0,
  globalTimeout: CI_MINUTES * 60_000,
  expect: { timeout: 15_000 },
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
