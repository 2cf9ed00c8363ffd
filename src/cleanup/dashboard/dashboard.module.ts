import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { DashboardController } from './dashboard.controller';
import { DashboardService } from './dashboard.service';

/** Statistics of a mailbox and its archive. */
@Module({
  imports: [MailboxAccountsModule, MailsModule, ProvidersModule, MessageIndexModule],
  controllers: [DashboardController],
  providers: [DashboardService],
})
export class DashboardModule {}
