const { projects, ...all } = require('../../../jest.config.js');
const endToEnd = projects.find(({ displayName }) => displayName === 'e2e');

/** The end-to-end project with one spec, which leaves its servers running. */
module.exports = {
  ...all,
  maxWorkers: 2,
  projects: [{ ...endToEnd, testMatch: ['<rootDir>/test/support/run/unfinished.fixture.ts'] }],
};
