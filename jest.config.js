const transform = { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', diagnostics: false }] };

/** Two projects: `unit` needs nothing running; `e2e` starts private services once (test/support/global-setup.ts). */
module.exports = {
  // Each spec file loads the service anew, and a worker keeps what it has loaded: beyond this a fresh one is quicker.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      displayName: 'unit',
      rootDir: __dirname,
      testMatch: ['<rootDir>/src/**/*.spec.ts'],
      transform,
      testEnvironment: 'node',
      setupFiles: ['reflect-metadata'],
    },
    {
      displayName: 'e2e',
      rootDir: __dirname,
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      transform,
      testEnvironment: 'node',
      setupFiles: ['reflect-metadata'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
      setupFilesAfterEnv: ['<rootDir>/test/support/setup.ts'],
    },
  ],
};
