import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module';
import { JobRecordsModule } from '../jobs/job-records.module';
import { UsersModule } from '../users/users.module';
import { UserDeletionsRepository } from './user-deletions.repository';
import { UserDeletionRequestService } from './user-deletion-request.service';

/** Marking users for deletion: no job runs for it, so that operators' commands can. */
@Module({
  imports: [JobRecordsModule, SessionsModule, UsersModule],
  providers: [UserDeletionsRepository, UserDeletionRequestService],
  exports: [UserDeletionsRepository, UserDeletionRequestService],
})
export class UserDeletionRequestModule {}
