import { Module } from '@nestjs/common';
import { MessageIndexModule } from '../message-index/message-index.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { ArchiveModule } from '../archive/archive.module';
import { DashboardController } from './dashboard.controller';
import { DashboardService } from './dashboard.service';

/** Statistics of a mailbox and its archive. */
@Module({
  imports: [ArchiveModule, MailProviderModule, MessageIndexModule],
  controllers: [DashboardController],
  providers: [DashboardService],
})
export class DashboardModule {}
