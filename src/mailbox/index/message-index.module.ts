import { Global, Module } from '@nestjs/common';
import { ProvidersModule } from '../../providers/providers.module';
import { MessageMetadataSource } from '../accounts/message-metadata.port';
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
import { FetchDeduplicator } from './fetch-deduplicator';

/** The message index. The module is global, since it implements a port of `mailbox`. */
@Global()
@Module({
  imports: [ProvidersModule],
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
    { provide: MessageMetadataSource, useExisting: MessageIndexService },
  ],
  exports: [
    MessageIndexService,
    MessageIndexReader,
    MailboxIndexer,
    MessageMetadataSource,
    HistoryReplay,
    ListingsRepository,
  ],
})
export class MessageIndexModule {}
