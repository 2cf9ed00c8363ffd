import { Module } from '@nestjs/common';
import { JobRecordsModule } from '../jobs/job-records.module';
import { SessionsModule } from '../sessions/sessions.module';
import { PasswordHasher } from './password-hasher';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  imports: [SessionsModule, JobRecordsModule],
  providers: [PasswordHasher, UsersRepository, UsersService],
  exports: [PasswordHasher, UsersService],
})
export class UsersModule {}
