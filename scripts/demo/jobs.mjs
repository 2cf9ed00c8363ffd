import { setTimeout as sleep } from 'node:timers/promises';
import { ReadableFailure, secondsSince } from '../lib/commands.mjs';
import { fact, ProgressBar } from './progress.mjs';

const FINISHED = new Set(['completed', 'failed', 'cancelled']);

/** Shows a job's progress until its end. @throws ReadableFailure unless it completes */
export async function followJob(api, jobId) {
  const startedAt = Date.now();
  const bar = new ProgressBar('messages');
  for (;;) {
    const job = await api.get(`/api/jobs/${jobId}`);
    bar.update(job.processed, job.total);
    if (FINISHED.has(job.status)) {
      bar.end();
      if (job.status !== 'completed')
        throw new ReadableFailure(`The job ${jobId} ${job.status}: ${job.error}`);
      fact(`job ${jobId} completed in ${secondsSince(startedAt)}`);
      return job;
    }
    await sleep(100);
  }
}
