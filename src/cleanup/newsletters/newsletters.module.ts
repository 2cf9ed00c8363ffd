import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { ScanUnsubscribeHandler } from './scan-unsubscribe.job';
import { NewsletterFinder } from './newsletter-finder';
import { NewslettersController } from './newsletters.controller';
import { NewslettersService } from './newsletters.service';

/** Newsletters of a live mailbox. */
@Module({
  imports: [JobsModule, MailboxAccountsModule, ProvidersModule, MessageIndexModule],
  controllers: [NewslettersController],
  providers: [NewslettersService, NewsletterFinder, ScanUnsubscribeHandler],
})
export class NewslettersModule {}
