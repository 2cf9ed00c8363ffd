import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { ProvidersModule } from '../../providers/providers.module';
import { ArrivalsFetcher } from './arrivals-fetcher';
import { IndexStatesRepository } from './index-states.repository';
import { IndexRefreshCron } from './index-refresh.cron';
import { ListingsRepository } from './listings.repository';
import { MailboxIndexer } from './mailbox-indexer';
import { MailboxTotalsRepository } from './mailbox-totals.repository';
import { NewestMessages } from './newest-messages';
import { HistoryFollower } from './history-follower';
import { HistoryReplay } from './history-replay';
import { IndexJobs } from './index-jobs';
import { IndexMailboxHandler } from './index-mailbox.job';
import { MetadataFetcher } from './metadata-fetcher';
import { MessageIndexRepository } from './message-index.repository';
import { MessageIndexService } from './message-index.service';
import { MessageIndexReader } from './message-index-reader';
import { IndexedMessagesRepository } from './indexed-messages.repository';
import { WholeListings } from './whole-listings';
import { FetchDeduplicator } from './fetch-deduplicator';

/** The message index: metadata of the messages of each mailbox. */
@Module({
  imports: [JobsModule, MailboxAccountsModule, ProvidersModule],
  providers: [
    ArrivalsFetcher,
    IndexStatesRepository,
    HistoryFollower,
    HistoryReplay,
    IndexJobs,
    IndexMailboxHandler,
    IndexRefreshCron,
    MessageIndexReader,
    IndexedMessagesRepository,
    ListingsRepository,
    MailboxIndexer,
    MailboxTotalsRepository,
    MetadataFetcher,
    MessageIndexRepository,
    MessageIndexService,
    NewestMessages,
    FetchDeduplicator,
    WholeListings,
  ],
  exports: [MessageIndexService, MessageIndexReader, MailboxIndexer, HistoryReplay, WholeListings],
})
export class MessageIndexModule {}
