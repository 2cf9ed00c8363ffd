import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JobQueues } from './starting/job-queues';
import { JobReader } from './records/job-reader';
import { ExpectedJobs, JobRegistry } from './runner/job-registry';
import { JobTimings } from './job-timings';
import { JobRecordsModule } from './job-records.module';
import { JobsService } from './starting/jobs.service';
import { JobEnds } from './runner/job-ends';
import { JobLeasesRepository } from './runner/job-leases.repository';
import { JobRunner } from './runner/job-runner';
import { JobWorkers } from './runner/job-workers';
import { RunningJobs } from './runner/running-jobs';

/** Background jobs for every feature: start them with `JobsService`, read them with `JobReader`. */
@Global()
@Module({
  imports: [DiscoveryModule, JobRecordsModule],
  providers: [
    JobTimings,
    JobsService,
    JobReader,
    JobLeasesRepository,
    JobEnds,
    JobQueues,
    ExpectedJobs,
    JobRegistry,
    JobRunner,
    JobWorkers,
    RunningJobs,
  ],
  exports: [JobsService, JobReader, JobRecordsModule, JobTimings],
})
export class JobsInfrastructureModule {}
