import { Module } from '@nestjs/common';
import { JobAudits } from './job-audits';
import { JobCancellations } from './job-cancellations';
import { JobUpdates } from './job-updates';
import { JobMetrics } from './job-metrics';
import { JobsRepository } from './jobs.repository';

/** The records of jobs and their updates, without what runs jobs: for modules that only have to stop them. */
@Module({
  providers: [JobAudits, JobCancellations, JobUpdates, JobMetrics, JobsRepository],
  exports: [JobAudits, JobCancellations, JobUpdates, JobMetrics],
})
export class JobRecordsModule {}
