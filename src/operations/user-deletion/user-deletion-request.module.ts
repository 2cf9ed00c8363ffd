import { Module } from '@nestjs/common';
import { SessionsModule } from '../../identity/sessions/sessions.module';
import { JobRecordsModule } from '../../platform/jobs/job-records.module';
import { OffloadPlansRepository } from '../../keep/offload/plans/offload-plans.repository';
import { UsersModule } from '../../identity/users/users.module';
import { WebhooksRepository } from '../../notify/webhooks/webhooks.repository';
import { UserDeletionRequestService } from './user-deletion-request.service';

/**
 * Marks users for deletion. Apart from UserDeletionModule, because the command line takes it without the features that
 * the deletion's job needs: archive, imports, mailboxes.
 */
@Module({
  imports: [JobRecordsModule, SessionsModule, UsersModule],
  // Not WebhooksModule, which would begin to send, nor OffloadModule, which would begin to move.
  providers: [OffloadPlansRepository, UserDeletionRequestService, WebhooksRepository],
  exports: [UserDeletionRequestService],
})
export class UserDeletionRequestModule {}
