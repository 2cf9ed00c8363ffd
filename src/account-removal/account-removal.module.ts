import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { MailboxConnectModule } from '../mailbox-connect/mailbox-connect.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { OffloadModule } from '../offload/offload.module';
import { AccountPurgesCron } from './account-purges.cron';
import { AccountPurgesRepository } from './account-purges.repository';
import { AccountPurgesService } from './account-purges.service';
import { AccountRowsRepository } from './account-rows.repository';
import { AccountRowsService } from './account-rows.service';
import { AccountRemovalController } from './account-removal.controller';
import { DeleteMailboxDataHandler } from './delete-mailbox-data.job';
import { DisconnectService } from './disconnect.service';
import { MailboxDataDeletion } from './mailbox-data-deletion';
import { PurgeAccountHandler } from './purge-account.job';

/** Disconnects mailboxes and deletes accounts with their archives. */
@Module({
  imports: [ArchiveModule, MailProviderModule, MailboxConnectModule, OffloadModule],
  controllers: [AccountRemovalController],
  providers: [
    AccountPurgesService,
    AccountPurgesCron,
    AccountPurgesRepository,
    AccountRowsRepository,
    AccountRowsService,
    DisconnectService,
    PurgeAccountHandler,
    DeleteMailboxDataHandler,
    MailboxDataDeletion,
  ],
  exports: [AccountRowsService],
})
export class AccountRemovalModule {}
