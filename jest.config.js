const { readPace } = require('./test/support/run/pace.js');

// Measured here, before the workers begin, which inherit it.
const pace = readPace();

const compiled = '<rootDir>/test/support/jest/compiled.js';
const sdkResolver = '<rootDir>/test/support/jest/sdk-resolver.js';
const native = '<rootDir>/test/support/jest/native-module.js';

/** Stays when a run ends, whose folder for temporary files does not. */
const cacheDirectory = '<rootDir>/node_modules/.cache/jest';

/** `*.nightly-spec.ts`, and tests that say `nightly` for `it`, run with TEST_TIER=all (`npm run test:all`) only. */
const ALL = process.env.TEST_TIER === 'all';

/** Packages that look at the classes of what they are given, which has to be made in the same sandbox. */
const sandboxed = '(@nestjs|class-validator|class-transformer|openid-client|jose)';

/** Specs with private services, which are started once (test/support/global-setup.ts). */
const overDatabase = {
  rootDir: __dirname,
  cacheDirectory,
  // The service is loaded once per worker, not once per spec.
  transform: {
    // What it defines, the service knows once per process.
    '/test/support/jobs/test-kinds\\.ts$': native,
    // Applications outlive the specs.
    '/test/support/app-pool\\.ts$': native,
    // A worker has one database for all medium specs.
    '/test/support/medium/.+\\.ts$': native,
    // What was noted is noted once.
    '/test/support/coverage\\.ts$': native,
    // Schemas are compiled once per worker.
    '/test/support/openapi/.+\\.ts$': native,
    // One server for all of its specs.
    '/test/support/object-store/swift-server\\.ts$': native,
    '/test/.+\\.ts$': compiled,
    '/sdk/src/.+\\.ts$': compiled,
    '/(src|migrations)/.+\\.ts$': native,
    '/node_modules/.+\\.js$': native,
  },
  transformIgnorePatterns: [],
  resolver: sdkResolver,
  testEnvironment: '<rootDir>/test/support/jest/native-environment.js',
  testEnvironmentOptions: { globalsCleanup: 'off' },
  setupFiles: ['reflect-metadata'],
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
      displayName: 'unit',
      rootDir: __dirname,
      cacheDirectory,
      testMatch: [
        '<rootDir>/src/**/*.spec.ts',
        '<rootDir>/sandbox/src/**/*.spec.ts',
        '<rootDir>/sdk/test/**/*.spec.ts',
        '<rootDir>/test/**/*.measure-spec.ts',
        ...(ALL ? ['<rootDir>/src/**/*.nightly-spec.ts'] : []),
      ],
      transform: {
        // Other packages are loaded once per worker.
        [`/node_modules/(?!${sandboxed}/).+\\.js$`]: native,
        '^.+\\.ts$': compiled,
      },
      transformIgnorePatterns: [`/node_modules/${sandboxed}/`],
      resolver: sdkResolver,
      testEnvironment: '<rootDir>/test/support/jest/native-environment.js',
      testEnvironmentOptions: { globalsCleanup: 'off' },
      setupFiles: ['reflect-metadata'],
    },
    {
      ...overDatabase,
      displayName: 'medium',
      testMatch: ['<rootDir>/test/medium/**/*.medium-spec.ts'],
    },
    {
      ...overDatabase,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts', ...(ALL ? ['<rootDir>/test/**/*.nightly-spec.ts'] : [])],
    },
  ],
};
