import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { MessageIndexModule } from '../mailbox/message-index/message-index.module';
import { ScanUnsubscribeHandler } from './jobs/scan-unsubscribe.job';
import { NewsletterFinder } from './newsletter-finder';
import { NewslettersController } from './newsletters.controller';
import { NewslettersService } from './newsletters.service';

/** Newsletters of a live mailbox. */
@Module({
  imports: [MailboxAccountsModule, ProvidersModule, MessageIndexModule],
  controllers: [NewslettersController],
  providers: [NewslettersService, NewsletterFinder, ScanUnsubscribeHandler],
})
export class NewslettersModule {}
