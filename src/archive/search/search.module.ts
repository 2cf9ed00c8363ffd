import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MailsModule } from '../mails/mails.module';
import { AccountSearch } from './account-search';
import { ExcerptFinder } from './excerpts/excerpt-finder';
import { LiveSearch } from './live-search';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';

/** One search over live mail and archives. */
@Module({
  imports: [MailboxAccountsModule, MessageIndexModule, ProvidersModule, MailsModule],
  controllers: [SearchController],
  providers: [SearchService, AccountSearch, LiveSearch, ExcerptFinder],
})
export class SearchModule {}
