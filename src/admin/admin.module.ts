import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { AdminUsersController } from './admin-users.controller';
import { AdminUsersRepository } from './admin-users.repository';
import { AdminUsersService } from './admin-users.service';
import { AdminController } from './admin.controller';
import { AdminJobsRepository, AdminStatsRepository } from './admin.repository';
import { AdminJobsService, AdminStatsService } from './admin.service';

/** What administrators see and do. They get no way into anybody's mail. */
@Module({
  imports: [UsersModule],
  controllers: [AdminController, AdminUsersController],
  providers: [
    AdminJobsRepository,
    AdminJobsService,
    AdminStatsRepository,
    AdminStatsService,
    AdminUsersRepository,
    AdminUsersService,
  ],
})
export class AdminModule {}
