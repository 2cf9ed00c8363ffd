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
import { JobReader } from './job-reader';
import { JobRecordsModule } from './job-records.module';
import { ExpectedJobs, JobRegistry } from './job-registry';
import { JobRunner } from './job-runner';
import { JobStreamsService } from './job-streams.service';
import { JobTimings } from './job-timings';
import { JobWorkers } from './job-workers';
import { JOB_PROCESSORS } from './job.processor';
import { JobsController } from './jobs.controller';
import { JobsRepository } from './jobs.repository';
import { JobsService } from './jobs.service';
import { RunningJobs } from './running-jobs';

/** Background jobs for every feature: start them with `JobsService`, read them with `JobReader`. */
@Module({
  imports: [DiscoveryModule, JobRecordsModule],
  controllers: [JobsController],
  providers: [
    JobTimings,
    JobsRepository,
    JobsService,
    JobReader,
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
  exports: [JobsService, JobReader, JobRegistry, JobRecordsModule, JobStreamsService, JobTimings],
})
export class JobsModule {}
