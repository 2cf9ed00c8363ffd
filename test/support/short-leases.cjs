/**
 * Loaded before the built service in tests that kill it: what a dead process was at is taken up after seconds. How long
 * that takes with the service's own timings is measured by one spec, which does without this.
 */
const timings = require('../../dist/src/platform/jobs/job-timings.js');
const files = require('../../dist/src/archive/files/file-deletion-timings.js');

timings.JobTimings = class extends timings.JobTimings {
  leaseMs = 6_000;
  heartbeatMs = 1_500;
  reconcileMs = 1_000;
};

files.FileDeletionTimings = class extends files.FileDeletionTimings {
  writerLeaseMs = 3_000;
  deleterLeaseMs = 3_000;
  pollMs = 500;
};
