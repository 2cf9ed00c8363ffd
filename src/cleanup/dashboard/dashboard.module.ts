import { Module } from '@nestjs/common';
import { MessagesModule } from '../../mailbox/messages/messages.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MailsModule } from '../../archive/mails/mails.module';
import { DashboardController } from './dashboard.controller';
import { DashboardService } from './dashboard.service';

/** Statistics of a mailbox and its archive. */
@Module({
  imports: [MessagesModule, MailsModule, ProvidersModule, MessageIndexModule],
  controllers: [DashboardController],
  providers: [DashboardService],
})
export class DashboardModule {}
