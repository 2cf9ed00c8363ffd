/** Loaded before the built service: SIGUSR2 makes all its crons strike at once, whatever the time is. */
const { CronJob } = require('cron');

const crons = new Set();
const start = CronJob.prototype.start;
CronJob.prototype.start = function startRemembered() {
  crons.add(this);
  return start.call(this);
};
process.on('SIGUSR2', () => {
  for (const cron of crons) void cron.fireOnTick();
});
