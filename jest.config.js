const { readPace } = require('./test/support/run/pace.js');
// The global set-up is TypeScript.
require('./test/support/run/typescript.js');

// Measured here, before the workers begin, which inherit it.
const pace = readPace();

/** `*.nightly-spec.ts`, and tests that say `nightly` for `it`, run with TEST_TIER=all (`npm run test:all`) only. */
const ALL = process.env.TEST_TIER === 'all';

const project = {
  rootDir: __dirname,
  // Stays when a run ends, whose folder for temporary files does not.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // Specs run in plain Node, which loads each module once per worker (ADR 104).
  runner: '<rootDir>/test/support/jest/runner.js',
  transform: {},
  setupFiles: ['reflect-metadata'],
};

/** Specs with private services, which are started once (test/support/global-setup.ts). */
const overDatabase = {
  ...project,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/setup.ts'],
};

/**
 * Three projects: `unit` needs nothing running; `medium` tests features on a database, without the rest of the service;
 * `e2e` tests the whole service.
 */
module.exports = {
  // A worker keeps what its specs have loaded: beyond this a fresh one is quicker.
  workerIdleMemoryLimit: '1GB',
  // Time to end in, before it counts as a leak: on a busy machine a large process takes more than the usual half second.
  workerGracefulExitTimeout: Math.round(5_000 * pace),
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/src/**/*.spec.ts',
        '<rootDir>/sandbox/src/**/*.spec.ts',
        '<rootDir>/sdk/test/**/*.spec.ts',
        '<rootDir>/test/**/*.measure-spec.ts',
        ...(ALL ? ['<rootDir>/src/**/*.nightly-spec.ts'] : []),
      ],
    },
    {
      ...overDatabase,
      displayName: 'medium',
      testMatch: ['<rootDir>/test/medium/**/*.medium-spec.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/support/medium-setup.ts'],
    },
    {
      ...overDatabase,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts', ...(ALL ? ['<rootDir>/test/**/*.nightly-spec.ts'] : [])],
    },
  ],
};
