import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JobAudits } from './job-audits';
import { JobEvents } from './job-events';
import { JobMetrics } from './job-metrics';
import { JobQueues } from './job-queues';
import { JobReader } from './records/job-reader';
import { ExpectedJobs, JobRegistry } from './runner/job-registry';
import { JobTimings } from './job-timings';
import { JobsRepository } from './jobs.repository';
import { JobsService } from './jobs.service';
import { JobEnds } from './runner/job-ends';
import { JobLeasesRepository } from './runner/job-leases.repository';
import { JobRunner } from './runner/job-runner';
import { JobWorkers } from './runner/job-workers';
import { RunningJobs } from './runner/running-jobs';

/** Background jobs for every feature: start them with `JobsService`, read them with `JobReader`. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    JobTimings,
    JobsService,
    JobReader,
    JobsRepository,
    JobLeasesRepository,
    JobEnds,
    JobAudits,
    JobQueues,
    JobEvents,
    JobMetrics,
    ExpectedJobs,
    JobRegistry,
    JobRunner,
    JobWorkers,
    RunningJobs,
  ],
  exports: [JobsService, JobReader, JobEvents, JobTimings],
})
export class JobsInfrastructureModule {}
