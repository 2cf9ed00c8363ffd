import { Injectable } from '@nestjs/common';
import { JobsService, StartedJob } from '../../platform/jobs/jobs.service';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { BulkAction } from '../../mailbox/bulk/bulk-action';
import { BulkOperation, BulkOperationPayload } from '../../mailbox/bulk/bulk-operation.job';
import { MessageFlag } from '../../mailbox/index/message-columns';
import { MessageIndexReader } from '../../mailbox/index/message-index-reader';
import type { FlaggedMessage, NewsletterTotals } from '../../mailbox/index/indexed-messages';
import type { LeavesOut } from '../../mailbox/selections/selection-finder';
import type { CallOptions, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { ScanUnsubscribe } from './scan-unsubscribe.job';
import { NewsletterFinder } from './newsletter-finder';

/** Options of calls for which a request waits. */
const INTERACTIVE: CallOptions = { priority: 'interactive' };
/** Number of the newest messages that must be indexed before a list is returned. */
const NEWEST = 2_000;

/** The newsletters of one address. */
export interface NewsletterMessages {
  /** Ids of the messages, newest first. */
  readonly messageIds: readonly string[];
  readonly starredCount: number;
  readonly importantCount: number;
  /** Number of messages that are neither starred nor important. */
  readonly unmarkedCount: number;
}

export interface NewsletterDeletionRequest {
  readonly permanent: boolean;
  /** Marks of messages that stay; absent: none. */
  readonly leaveOut?: readonly LeavesOut[];
}

const FLAG_OF: Readonly<Record<LeavesOut, number>> = {
  starred: MessageFlag.Starred,
  important: MessageFlag.Important,
};

type StartedDeletion = Required<Pick<BulkOperationPayload, 'messageIds' | 'starredCount' | 'importantCount'>>;

export interface NewsletterDeletion {
  /** Id of the job; null when there is nothing to delete. */
  readonly jobId: string | null;
  readonly count: number;
  readonly starredCount: number;
  readonly importantCount: number;
}

/**
 * Newsletters: messages with a List-Unsubscribe header from other senders, neither in spam nor in trash, by address of the
 * sender. Every method throws the 409s of an account that cannot be used.
 */
@Injectable()
export class NewslettersService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly mailbox: MessageIndexReader,
    private readonly finder: NewsletterFinder,
    private readonly jobs: JobsService,
  ) {}

  /** Starts a job that makes the list complete. */
  async scan(userId: string, accountId: string): Promise<StartedJob & { message: string }> {
    await this.accounts.requireUsable(userId, accountId);
    const { jobId } = await this.jobs.start(ScanUnsubscribe, { userId, accountId }, {});
    return { jobId, message: 'Newsletter scan started' };
  }

  /** Senders by number of messages, in the indexed part of the mailbox. */
  async list(userId: string, accountId: string, limit: number): Promise<NewsletterTotals[]> {
    const account = await this.accounts.requireUsable(userId, accountId);
    await this.mailbox.prepare(account, { ...INTERACTIVE, newest: NEWEST });
    return (await this.finder.listSenders(account)).slice(0, limit);
  }

  /** All newsletters of one sender, also those that are not indexed. @param address in lower case */
  async listMessagesOf(userId: string, accountId: string, address: string): Promise<NewsletterMessages> {
    return inTotal(await this.find(await this.accounts.requireUsable(userId, accountId), address));
  }

  /**
   * Starts the deletion of the messages that `messagesOf` returns, without those left out.
   * @param address in lower case
   */
  async delete(
    userId: string,
    accountId: string,
    address: string,
    { permanent, leaveOut = [] }: NewsletterDeletionRequest,
  ): Promise<NewsletterDeletion> {
    const account = await this.accounts.requireUsable(userId, accountId);
    const repeated = await this.jobs.findRepeated(userId);
    if (repeated) {
      const { messageIds, starredCount, importantCount } = repeated.payload as unknown as StartedDeletion;
      return { jobId: repeated.record.jobId, count: messageIds.length, starredCount, importantCount };
    }
    const kept = leaveOut.reduce((flags, mark) => flags | FLAG_OF[mark], 0);
    const found = await this.find(account, address);
    const { messageIds, starredCount, importantCount } = inTotal(
      found.filter(({ flags }) => (flags & kept) === 0),
    );
    const touched = { starredCount, importantCount };
    const count = messageIds.length;
    if (count === 0) return { jobId: null, count, ...touched };
    const action = permanent ? BulkAction.Delete : BulkAction.Trash;
    const { jobId } = await this.jobs.start(
      BulkOperation,
      { userId, accountId },
      { action, messageIds: [...messageIds], ...touched },
      { total: count },
    );
    return { jobId, count, ...touched };
  }

  private async find(account: ProviderAccount, address: string): Promise<FlaggedMessage[]> {
    const { complete } = await this.mailbox.prepare(account, { ...INTERACTIVE, newest: NEWEST });
    return this.finder.findMessagesOf(account, address, complete, INTERACTIVE);
  }
}

function inTotal(messages: readonly FlaggedMessage[]): NewsletterMessages {
  const countHaving = (flag: number): number => messages.filter(({ flags }) => flags & flag).length;
  return {
    messageIds: messages.map(({ id }) => id),
    starredCount: countHaving(MessageFlag.Starred),
    importantCount: countHaving(MessageFlag.Important),
    unmarkedCount: messages.length - countHaving(MessageFlag.Starred | MessageFlag.Important),
  };
}
