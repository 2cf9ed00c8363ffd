import { Module } from '@nestjs/common';
import { JobListsService } from './job-lists.service';
import { JobsController } from './jobs.controller';
import { JobStreamsService } from './job-streams.service';

/** The jobs resource: lists, details, cancelling, live updates. What runs jobs is `common/jobs`. */
@Module({
  controllers: [JobsController],
  providers: [JobListsService, JobStreamsService],
})
export class JobsModule {}
