import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { UsersModule } from '../users/users.module';
import { AdminController } from './admin.controller';
import { AdminJobsRepository } from './jobs/admin-jobs.repository';
import { AdminJobsService } from './jobs/admin-jobs.service';
import { AdminStatsRepository } from './stats/admin-stats.repository';
import { AdminStatsService } from './stats/admin-stats.service';
import { AdminUsersController } from './users/admin-users.controller';
import { AdminUsersRepository } from './users/admin-users.repository';
import { AdminUsersService } from './users/admin-users.service';

/** What administrators see and do. They get no way into anybody's mail. */
@Module({
  imports: [UsersModule, MailboxAccountsModule],
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
