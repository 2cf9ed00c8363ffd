import { Module } from '@nestjs/common';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { MailboxConnectModule } from '../../mailbox/connect/mailbox-connect.module';
import { ProvidersModule } from '../../providers/providers.module';
import { RunningOffloadsModule } from '../../keep/offload/running-offloads.module';
import { AccountPurgesCron } from './account-purges.cron';
import { AccountPurgesRepository } from './account-purges.repository';
import { AccountPurgesService } from './account-purges.service';
import { AccountRowsRepository } from './account-rows.repository';
import { AccountRowsService } from './account-rows.service';
import { AccountRemovalController } from './account-removal.controller';
import { DeleteMailboxDataHandler } from './delete-mailbox-data.job';
import { DisconnectService } from './disconnect.service';
import { PurgeAccountHandler } from './purge-account.job';

/** Disconnects mailboxes and deletes accounts with their archives. */
@Module({
  imports: [
    JobsModule,
    MailboxAccountsModule,
    MessageIndexModule,
    MailsModule,
    ProvidersModule,
    MailboxConnectModule,
    RunningOffloadsModule,
  ],
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
  ],
  exports: [AccountRowsService],
})
export class AccountRemovalModule {}
