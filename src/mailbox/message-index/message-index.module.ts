import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { ProvidersModule } from '../providers/providers.module';
import { ArrivalsFetcher } from './fetching/arrivals-fetcher';
import { CoverageRepository } from './indexing/coverage.repository';
import { IndexRefreshCron } from './indexing/index-refresh.cron';
import { ListingsRepository } from './indexing/listings.repository';
import { MailboxIndexer } from './indexing/mailbox-indexer';
import { NewestMessages } from './indexing/newest-messages.service';
import { HistoryFollower } from './history/history-follower';
import { HistoryReplay } from './history/history-replay';
import { IndexLock } from './index-lock';
import { IndexJobsRepository } from './jobs/index-jobs.repository';
import { IndexJobs } from './jobs/index-jobs.service';
import { IndexMailboxHandler } from './jobs/index-mailbox.job';
import { MessageFetcher } from './fetching/message-fetcher';
import { MessageIndexRepository } from './message-index.repository';
import { MessageIndexService } from './message-index.service';
import { Patience } from './fetching/patience';
import { IndexedMailbox } from './reads/indexed-mailbox.service';
import { IndexedMessagesRepository } from './reads/indexed-messages.repository';
import { SharedFetches } from './fetching/shared-fetches';

@Module({
  imports: [MailboxAccountsModule, ProvidersModule],
  providers: [
    ArrivalsFetcher,
    CoverageRepository,
    HistoryFollower,
    HistoryReplay,
    IndexJobs,
    IndexJobsRepository,
    IndexLock,
    IndexMailboxHandler,
    IndexRefreshCron,
    IndexedMailbox,
    IndexedMessagesRepository,
    ListingsRepository,
    MailboxIndexer,
    MessageFetcher,
    MessageIndexRepository,
    MessageIndexService,
    NewestMessages,
    Patience,
    SharedFetches,
  ],
  exports: [MessageIndexService, IndexedMailbox, MailboxIndexer],
})
export class MessageIndexModule {}
