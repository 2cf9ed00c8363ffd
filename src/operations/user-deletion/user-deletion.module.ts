import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { AccountRemovalModule } from '../account-deletion/account-removal.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { ImportsModule } from '../../archive/imports/imports.module';
import { MailboxConnectModule } from '../../mailbox/connect/mailbox-connect.module';
import { UsersModule } from '../../identity/users/users.module';
import { DeleteUserHandler } from './delete-user.job';
import { UserDeletionRequestModule } from './user-deletion-request.module';
import { UserDeletionTimings } from './user-deletion-timings';
import { UserDeletionController } from './user-deletion.controller';
import { UserDeletionsRepository } from './user-deletions.repository';
import { UserDeletionsCron } from './user-deletions.cron';
import { UserDeletionsService } from './user-deletions.service';
import { UserRedisKeys } from './user-redis-keys';
import { UserRowsRepository } from './user-rows.repository';
import { UserRowsService } from './user-rows.service';

/** Deletes users and all their data. */
@Module({
  imports: [
    JobsModule,
    MailboxAccountsModule,
    AccountRemovalModule,
    MailsModule,
    MailboxConnectModule,
    ImportsModule,
    UserDeletionRequestModule,
    UsersModule,
  ],
  controllers: [UserDeletionController],
  providers: [
    DeleteUserHandler,
    UserRedisKeys,
    UserDeletionsRepository,
    UserDeletionsService,
    UserDeletionsCron,
    UserDeletionTimings,
    UserRowsRepository,
    UserRowsService,
  ],
})
export class UserDeletionModule {}
