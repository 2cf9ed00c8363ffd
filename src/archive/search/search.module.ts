import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../../mailbox/accounts/mailbox-accounts.module';
import { LabelsModule } from '../../mailbox/labels/labels.module';
import { MessageIndexModule } from '../../mailbox/index/message-index.module';
import { ProvidersModule } from '../../providers/providers.module';
import { MailsModule } from '../mails/mails.module';
import { AccountSearch } from './account-search';
import { ExcerptFinder } from './excerpts/excerpt-finder';
import { LiveSearch } from './live-search';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';
import { SearchedAccounts } from './searched-accounts';
import { SearchSuggestionsController } from './suggestions/search-suggestions.controller';
import { SearchSuggestionsService } from './suggestions/search-suggestions.service';

/** One search over live mail and archives. */
@Module({
  imports: [MailboxAccountsModule, LabelsModule, MessageIndexModule, ProvidersModule, MailsModule],
  controllers: [SearchSuggestionsController, SearchController],
  providers: [
    SearchService,
    AccountSearch,
    LiveSearch,
    ExcerptFinder,
    SearchedAccounts,
    SearchSuggestionsService,
  ],
})
export class SearchModule {}
