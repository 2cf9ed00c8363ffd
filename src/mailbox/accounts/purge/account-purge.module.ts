import { Module } from '@nestjs/common';
import { ArchiveModule } from '../../../archive/archive.module';
import { MailboxAccountsModule } from '../mailbox-accounts.module';
import { PurgeAccountHandler } from './purge-account.job';

@Module({ imports: [MailboxAccountsModule, ArchiveModule], providers: [PurgeAccountHandler] })
export class AccountPurgeModule {}
