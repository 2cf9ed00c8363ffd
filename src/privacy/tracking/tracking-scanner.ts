import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { MessageBudget } from '../../archive/mails/archiving/message-budget';
import { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import { Transactions } from '../../platform/database/transactions';
import type { JobContext } from '../../platform/jobs/job-definition';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { MessageIndexReader } from '../../mailbox/index/message-index-reader';
import { retryWhileRateLimited } from '../../providers/port/fetch-raw';
import { MailboxProviders, type ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { TrackingScansRepository } from './tracking-scans.repository';
import { MessageBodies } from './message-bodies';
import { TrackerReader } from './tracker-reader';
import { type TrackingScanResult, TrackingScanRun } from './tracking-scan-run';

const PAGE = 1_000;

/**
 * Scans the newest messages of a mailbox for trackers, on behalf of a job. A message is read once for a version of the
 * rules, also when the job fails.
 */
@Injectable()
export class TrackingScanner {
  constructor(
    private readonly mailbox: MessageIndexReader,
    private readonly index: MessageIndexService,
    private readonly providers: MailboxProviders,
    private readonly bodies: MessageBodies,
    private readonly reader: TrackerReader,
    private readonly scans: TrackingScansRepository,
    private readonly archiveLock: ArchiveLock,
    private readonly memory: MessageBudget,
    private readonly transactions: Transactions,
  ) {}

  /** Scans a mailbox from the job's checkpoint on. @param account checked to be usable */
  async scan(account: ProviderAccount, newest: number, job: JobContext): Promise<TrackingScanResult> {
    const { bodies, reader, scans, archiveLock, index, transactions } = this;
    // Each fetch adds several listeners on its way through the gateway.
    setMaxListeners(0, job.signal);
    const held = this.memory.open(account.userId, job.signal);
    const provider = this.providers.forAccount(account);
    try {
      const run = await TrackingScanRun.begin(account.id, job, {
        provider,
        held,
        bodies,
        reader,
        scans,
        archiveLock,
        index,
        transactions,
      });
      const ready = { newest, priority: 'background', signal: job.signal } as const;
      await retryWhileRateLimited(() => this.mailbox.prepare(account, ready), job.signal);
      await run.deleteFindings(await this.findGone(account.id));
      return await run.scan(await this.mailbox.listNewest(account, newest));
    } finally {
      held.close();
    }
  }

  /** Ids of scanned messages that are no longer in the mailbox; the index no longer has them either. */
  private async findGone(accountId: string): Promise<string[]> {
    const gone: string[] = [];
    for (let after = ''; ;) {
      const ids = await this.scans.findMessageIds(accountId, after, PAGE);
      const indexed = await this.index.findSizes(accountId, ids);
      gone.push(...ids.filter((id) => !indexed.has(id)));
      if (ids.length < PAGE) return gone;
      after = ids[ids.length - 1] as string;
    }
  }
}
