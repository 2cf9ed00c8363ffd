import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module';
import { JobRecordsModule } from '../jobs/job-records.module';
import { StorageUsageRepository } from '../profile/storage-usage.repository';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  imports: [SessionsModule, JobRecordsModule],
  providers: [UsersRepository, StorageUsageRepository, UsersService],
  exports: [UsersService],
})
export class UsersModule {}
