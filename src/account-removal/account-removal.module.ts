import { Module } from '@nestjs/common';
import { ArchiveModule } from '../archive/archive.module';
import { MailboxAccountsModule } from '../mailbox/mailbox-accounts.module';
import { AccountPurgesCron } from './account-purges.cron';
import { AccountPurgesRepository } from './account-purges.repository';
import { AccountPurgesService } from './account-purges.service';
import { PurgeAccountHandler } from './purge-account.job';

/** Removing accounts with all that was archived of them. */
@Module({
  imports: [MailboxAccountsModule, ArchiveModule],
  providers: [AccountPurgesService, AccountPurgesCron, AccountPurgesRepository, PurgeAccountHandler],
  exports: [AccountPurgesService],
})
export class AccountRemovalModule {}
