import { Module } from '@nestjs/common';
import { MessageIndexModule } from '../message-index/message-index.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { ArchiveTotalsRepository } from '../archive/archive-totals.repository';
import { DashboardController } from './dashboard.controller';
import { DashboardService } from './dashboard.service';

/** Statistics of a mailbox and its archive. */
@Module({
  imports: [MailProviderModule, MessageIndexModule],
  controllers: [DashboardController],
  providers: [DashboardService, ArchiveTotalsRepository],
})
export class DashboardModule {}
