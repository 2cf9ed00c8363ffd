import { Module } from '@nestjs/common';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { ScanUnsubscribeHandler } from './scan-unsubscribe.job';
import { NewsletterFinder } from './newsletter-finder';
import { NewslettersController } from './newsletters.controller';
import { NewslettersService } from './newsletters.service';

/** Newsletters of a live mailbox. */
@Module({
  imports: [ProvidersModule, MessageIndexModule],
  controllers: [NewslettersController],
  providers: [NewslettersService, NewsletterFinder, ScanUnsubscribeHandler],
})
export class NewslettersModule {}
