import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BullJobQueues } from './bull-job-queues';
import { JobReader } from './job-reader';
import { ExpectedJobs, JobRegistry } from './job-registry';
import { JobTimings } from './job-timings';
import { JobRecordsModule } from './job-records.module';
import { JobsService } from './jobs.service';
import { JobCompletion } from './job-completion';
import { JobLeasesRepository } from './job-leases.repository';
import { JobRunner } from './job-runner';
import { JobWorkers } from './job-workers';
import { RunningJobs } from './running-jobs';

/** Background jobs for every feature: start them with `JobsService`, read them with `JobReader`. */
@Global()
@Module({
  imports: [DiscoveryModule, JobRecordsModule],
  providers: [
    JobTimings,
    JobsService,
    JobReader,
    JobLeasesRepository,
    JobCompletion,
    BullJobQueues,
    ExpectedJobs,
    JobRegistry,
    JobRunner,
    JobWorkers,
    RunningJobs,
  ],
  exports: [JobsService, JobReader, JobRecordsModule, JobTimings],
})
export class JobsInfrastructureModule {}
