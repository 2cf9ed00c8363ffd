import { Module } from '@nestjs/common';
import { AccountRemovalModule } from '../account-removal/account-removal.module';
import { ArchiveModule } from '../archive/archive.module';
import { ImportsModule } from '../imports/imports.module';
import { MailboxConnectModule } from '../mailbox-connect/mailbox-connect.module';
import { UsersModule } from '../users/users.module';
import { DeleteUserHandler } from './delete-user.job';
import { UserAccountsDeletionService } from './user-accounts-deletion.service';
import { UserDataDeletionService, UserDeletionTimings } from './user-data-deletion.service';
import { UserDeletionRequestModule } from './user-deletion-request.module';
import { UserDeletionController } from './user-deletion.controller';
import { UserDeletionsRepository } from './user-deletions.repository';
import { UserDeletionsCron } from './user-deletions.cron';
import { UserDeletionsService } from './user-deletions.service';
import { UserRedisKeys } from './user-redis-keys';
import { UserRowsRepository } from './user-rows.repository';

/** Deletes users and all their data. */
@Module({
  imports: [
    AccountRemovalModule,
    ArchiveModule,
    MailboxConnectModule,
    ImportsModule,
    UserDeletionRequestModule,
    UsersModule,
  ],
  controllers: [UserDeletionController],
  providers: [
    DeleteUserHandler,
    UserRedisKeys,
    UserAccountsDeletionService,
    UserDeletionsRepository,
    UserDeletionsService,
    UserDeletionsCron,
    UserDeletionTimings,
    UserDataDeletionService,
    UserRowsRepository,
  ],
})
export class UserDeletionModule {}
