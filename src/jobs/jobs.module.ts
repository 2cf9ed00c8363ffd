import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module';
import { MailboxAccountsModule } from '../mailbox/mailbox-accounts.module';
import { JobListsService } from './job-lists.service';
import { JobsController } from './jobs.controller';
import { JobStreamsService } from './job-streams.service';

/** The jobs resource: lists, details, cancelling, live updates. What runs jobs is `common/jobs`. */
@Module({
  imports: [MailboxAccountsModule, SessionsModule],
  controllers: [JobsController],
  providers: [JobListsService, JobStreamsService],
})
export class JobsModule {}
