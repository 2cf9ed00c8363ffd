import { Module } from '@nestjs/common';
import { JobRecordsModule } from '../../platform/jobs/job-records.module';
import { SessionsModule } from '../sessions/sessions.module';
import { PasswordHasher } from './password-hasher';
import { UserLocks } from './user-locks';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  imports: [SessionsModule, JobRecordsModule],
  providers: [PasswordHasher, UserLocks, UsersRepository, UsersService],
  exports: [PasswordHasher, UserLocks, UsersService],
})
export class UsersModule {}
