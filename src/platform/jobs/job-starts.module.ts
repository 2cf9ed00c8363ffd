import { Module } from '@nestjs/common';
import { EndedJobsRepository } from './ended-jobs.repository';
import { JobReader } from './job-reader';
import { JobRecordsModule } from './job-records.module';
import { JobsRepository } from './jobs.repository';
import { JobsService } from './jobs.service';

/** Starts, reads and cancels jobs, without what runs them: the command line leaves that to the service. */
@Module({
  imports: [JobRecordsModule],
  providers: [EndedJobsRepository, JobReader, JobsRepository, JobsService],
  exports: [JobReader, JobsService],
})
export class JobStartsModule {}
