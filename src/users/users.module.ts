import { Module } from '@nestjs/common';
import { SessionsModule } from '../auth/sessions/sessions.module';
import { StorageUsageRepository } from './storage-usage.repository';
import { UsersRepository } from './users.repository';
import { UsersService } from './users.service';

@Module({
  imports: [SessionsModule],
  providers: [UsersRepository, StorageUsageRepository, UsersService],
  exports: [UsersService],
})
export class UsersModule {}
