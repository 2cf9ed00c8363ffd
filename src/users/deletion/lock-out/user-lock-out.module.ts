import { Module } from '@nestjs/common';
import { SessionsModule } from '../../../auth/sessions/sessions.module';
import { JobRecordsModule } from '../../../common/jobs/job-records.module';
import { UsersModule } from '../../users.module';
import { UserDeletionsRepository } from '../user-deletions.repository';
import { UserLockOut } from './user-lock-out.service';

/** Marking users for deletion: no job runs for it, so that operators' commands can. */
@Module({
  imports: [JobRecordsModule, SessionsModule, UsersModule],
  providers: [UserDeletionsRepository, UserLockOut],
  exports: [UserDeletionsRepository, UserLockOut],
})
export class UserLockOutModule {}
