import { Module } from '@nestjs/common';
import { SessionsModule } from '../../identity/sessions/sessions.module';
import { JobRecordsModule } from '../../platform/jobs/job-records.module';
import { RunningOffloadsModule } from '../../keep/offload/running-offloads.module';
import { UsersModule } from '../../identity/users/users.module';
import { WebhookDeactivationModule } from '../../notify/webhooks/webhook-deactivation.module';
import { UserDeletionRequestService } from './user-deletion-request.service';

/**
 * Marks users for deletion. It is separate from UserDeletionModule, because the command line uses it without the features that
 * the job needs: archive, imports, mailboxes.
 */
@Module({
  imports: [JobRecordsModule, RunningOffloadsModule, SessionsModule, UsersModule, WebhookDeactivationModule],
  providers: [UserDeletionRequestService],
  exports: [UserDeletionRequestService],
})
export class UserDeletionRequestModule {}
