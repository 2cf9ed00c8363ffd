import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../platform/jobs/job-definition';
import { RedisLock } from '../../platform/redis/redis-lock';
import { MailboxProviders, type ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { HistoryFollower } from './history-follower';
import { HistoryReplay } from './history-replay';
import { IndexMailboxRun, type IndexResult } from './index-mailbox.run';
import { IndexStatesRepository } from './index-states.repository';
import { ListingsRepository } from './listings.repository';
import { MessageIndexRepository } from './message-index.repository';
import { MessageIndexService } from './message-index.service';
import { MetadataFetcher } from './metadata-fetcher';

/** Indexes whole mailboxes, for jobs of every kind that does so. */
@Injectable()
export class MailboxIndexer {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly messageIndex: MessageIndexService,
    private readonly messages: MessageIndexRepository,
    private readonly states: IndexStatesRepository,
    private readonly listings: ListingsRepository,
    private readonly follower: HistoryFollower,
    private readonly replay: HistoryReplay,
    private readonly fetcher: MetadataFetcher,
    private readonly lock: RedisLock,
  ) {}

  /**
   * Indexes the missing messages of the mailbox with background priority, and reports progress through the job. It owns
   * the job's checkpoints until it returns; a later attempt goes on from there. Two jobs may index one mailbox at the
   * same time: neither fetches messages that the other has.
   */
  index(account: ProviderAccount, job: JobContext): Promise<IndexResult> {
    const { messageIndex: index, messages, states, listings, follower, replay, fetcher, lock } = this;
    const provider = this.providers.forAccount(account);
    const services = { provider, index, messages, states, listings, follower, replay, fetcher, lock };
    return new IndexMailboxRun(account, job, services).run();
  }
}
