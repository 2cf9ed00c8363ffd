import { Module } from '@nestjs/common';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { MessageIndexModule } from '../message-index/message-index.module';
import { ScanUnsubscribeHandler } from './scan-unsubscribe.job';
import { NewsletterFinder } from './newsletter-finder';
import { NewslettersController } from './newsletters.controller';
import { NewslettersService } from './newsletters.service';

/** Newsletters of a live mailbox. */
@Module({
  imports: [MailProviderModule, MessageIndexModule],
  controllers: [NewslettersController],
  providers: [NewslettersService, NewsletterFinder, ScanUnsubscribeHandler],
})
export class NewslettersModule {}
