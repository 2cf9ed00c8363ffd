import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { bullQueue } from '../redis/bull-queues';
import { EndedJobsCron } from './ended-jobs.cron';
import { EndedJobsRepository } from './ended-jobs.repository';
import { EndedJobsService } from './ended-jobs.service';
import { JobCompletion } from './job-completion';
import { JobLeasesRepository } from './job-leases.repository';
import { JobListsService } from './job-lists.service';
import { ALL_JOB_QUEUES } from './job-queue';
import { JobRecordsModule } from './job-records.module';
import { ExpectedJobs, JobRegistry } from './job-registry';
import { JobRunner } from './job-runner';
import { JobStartsModule } from './job-starts.module';
import { JobStreamsService } from './job-streams.service';
import { JobTimings } from './job-timings';
import { JobWorkers } from './job-workers';
import { JOB_PROCESSORS } from './job.processor';
import { JobsController } from './jobs.controller';
import { JobsRepository } from './jobs.repository';
import { RunningJobs } from './running-jobs';

/** Background jobs for every feature: start them with `JobsService`, read them with `JobReader`. */
@Module({
  imports: [DiscoveryModule, JobRecordsModule, JobStartsModule],
  controllers: [JobsController],
  providers: [
    JobTimings,
    JobsRepository,
    JobListsService,
    EndedJobsRepository,
    EndedJobsService,
    EndedJobsCron,
    JobStreamsService,
    JobLeasesRepository,
    JobCompletion,
    ExpectedJobs,
    JobRegistry,
    JobRunner,
    JobWorkers,
    RunningJobs,
    ...ALL_JOB_QUEUES.map(bullQueue),
    ...JOB_PROCESSORS,
  ],
  exports: [JobRegistry, JobRecordsModule, JobStartsModule, JobStreamsService, JobTimings],
})
export class JobsModule {}
