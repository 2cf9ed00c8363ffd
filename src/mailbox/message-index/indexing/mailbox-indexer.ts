import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../../common/jobs/job-context';
import { MailboxProviders, ProviderAccount } from '../../providers/mailbox-provider.port';
import { HistoryFollower } from '../history/history-follower';
import { HistoryReplay } from '../history/history-replay';
import { IndexLock } from '../index-lock';
import { MessageFetcher } from '../fetching/message-fetcher';
import { MessageIndexRepository } from '../message-index.repository';
import { MessageIndexService } from '../message-index.service';
import { CoverageRepository } from './coverage.repository';
import { IndexResult, IndexRun } from './index-run';
import { ListingsRepository } from './listings.repository';

/** Indexes whole mailboxes, for jobs. */
@Injectable()
export class MailboxIndexer {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly messages: MessageIndexRepository,
    private readonly coverage: CoverageRepository,
    private readonly listings: ListingsRepository,
    private readonly follower: HistoryFollower,
    private readonly replay: HistoryReplay,
    private readonly fetcher: MessageFetcher,
    private readonly lock: IndexLock,
  ) {}

  /**
   * Indexes what is missing of the mailbox in background priority, reporting progress through the job. Owns the
   * job's checkpoints until it returns; called again by a later attempt it goes on where it was. Two jobs may index
   * one mailbox at a time: neither fetches what the other has.
   */
  run(account: ProviderAccount, job: JobContext): Promise<IndexResult> {
    const { index, messages, coverage, listings, follower, replay, fetcher, lock } = this;
    const provider = this.providers.forAccount(account);
    const services = { provider, index, messages, coverage, listings, follower, replay, fetcher, lock };
    return new IndexRun(account, job, services).run();
  }
}
