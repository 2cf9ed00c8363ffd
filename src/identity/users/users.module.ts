import { Module } from '@nestjs/common';
import { JobRecordsModule } from '../../platform/jobs/job-records.module';
import { SessionsModule } from '../sessions/sessions.module';
import { PasswordHasher } from './password-hasher';
import { UserLocksRepository } from './user-locks.repository';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  imports: [SessionsModule, JobRecordsModule],
  providers: [PasswordHasher, UserLocksRepository, UsersRepository, UsersService],
  exports: [PasswordHasher, UserLocksRepository, UsersService],
})
export class UsersModule {}
