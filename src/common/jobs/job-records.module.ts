import { Module } from '@nestjs/common';
import { JobAudits } from './news/job-audits';
import { JobCancellations } from './job-cancellations';
import { JobEvents } from './news/job-events';
import { JobMetrics } from './news/job-metrics';
import { JobsRepository } from './jobs.repository';

/** The records of jobs and the news about them, without what runs jobs: for whoever has to stop them. */
@Module({
  providers: [JobAudits, JobCancellations, JobEvents, JobMetrics, JobsRepository],
  exports: [JobAudits, JobCancellations, JobEvents, JobMetrics, JobsRepository],
})
export class JobRecordsModule {}
