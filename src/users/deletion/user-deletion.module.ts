import { Module } from '@nestjs/common';
import { ArchiveModule } from '../../archive/archive.module';
import { ImportsModule } from '../../imports/imports.module';
import { ConnectModule } from '../../mailbox/accounts/connect/connect.module';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { DeleteUserHandler } from './delete-user.job';
import { RedisLeftovers } from './redis-leftovers';
import { UserAccountsRemoval } from './user-accounts-removal.service';
import { UserDeletionController } from './user-deletion.controller';
import { UserDeletionTimings } from './user-deletion-timings';
import { UserDeletionsCron } from './user-deletions.cron';
import { UserDeletions } from './user-deletions.service';
import { UserLockOutModule } from './lock-out/user-lock-out.module';
import { UserRemoval } from './user-removal.service';
import { UserRowsRepository } from './user-rows.repository';

/** Removing users with everything of theirs. */
@Module({
  imports: [ArchiveModule, ConnectModule, ImportsModule, MailboxAccountsModule, UserLockOutModule],
  controllers: [UserDeletionController],
  providers: [
    DeleteUserHandler,
    RedisLeftovers,
    UserAccountsRemoval,
    UserDeletions,
    UserDeletionsCron,
    UserDeletionTimings,
    UserRemoval,
    UserRowsRepository,
  ],
})
export class UserDeletionModule {}
