import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { MessageIndexModule } from '../mailbox/message-index/message-index.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { ArchiveStatsRepository } from './archive-stats.repository';
import { DashboardController } from './dashboard.controller';
import { DashboardService } from './dashboard.service';

/** Figures about a mailbox and its archive. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule],
  controllers: [DashboardController],
  providers: [DashboardService, ArchiveStatsRepository],
})
export class DashboardModule {}
