import { Module } from '@nestjs/common';
import { SessionsModule } from '../../identity/sessions/sessions.module';
import { JobRecordsModule } from '../../platform/jobs/job-records.module';
import { OffloadPlansRepository } from '../../keep/offload/plans/offload-plans.repository';
import { UsersModule } from '../../identity/users/users.module';
import { WebhooksRepository } from '../../notify/webhooks/webhooks.repository';
import { UserDeletionRequestService } from './user-deletion-request.service';

/**
 * Marks users for deletion. It is separate from UserDeletionModule, because the command line uses it without the features that
 * the job needs: archive, imports, mailboxes.
 */
@Module({
  imports: [JobRecordsModule, SessionsModule, UsersModule],
  // WebhooksModule would begin to send, and OffloadModule to move messages.
  providers: [OffloadPlansRepository, UserDeletionRequestService, WebhooksRepository],
  exports: [UserDeletionRequestService],
})
export class UserDeletionRequestModule {}
