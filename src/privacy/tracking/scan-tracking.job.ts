import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { MessageBudget } from '../../archive/mails/archiving/message-budget';
import { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import { Transactions } from '../../platform/database/transactions';
import { defineJob, HandlesJob, type JobHandler, type JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import type { JobContext } from '../../platform/jobs/job-definition';
import { MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { MailboxProviders } from '../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexReader } from '../../mailbox/index/message-index-reader';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { StartTrackingScanDto } from './dto/tracking.dto';
import { MessageBodies } from './message-bodies';
import { ScanTrackingRun } from './scan-tracking.run';
import { TrackerReader } from './tracker-reader';
import { TrackingScansRepository } from './tracking-scans.repository';

export const ScanTracking = defineJob('scan_tracking', {
  queue: JobQueue.Scan,
  payload: StartTrackingScanDto,
});

/**
 * Scans the newest messages for trackers; see `ScanTrackingRun`. It has ten dependencies because it passes most of them to
 * the run, which Nest does not create.
 */
@Injectable()
@HandlesJob(ScanTracking)
export class ScanTrackingHandler implements JobHandler<StartTrackingScanDto> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly mailbox: MessageIndexReader,
    private readonly index: MessageIndexService,
    private readonly bodies: MessageBodies,
    private readonly reader: TrackerReader,
    private readonly scans: TrackingScansRepository,
    private readonly archiveLock: ArchiveLock,
    private readonly memory: MessageBudget,
    private readonly transactions: Transactions,
  ) {}

  async run({ maxMessages }: StartTrackingScanDto, job: JobContext): Promise<JobResult> {
    // The account was deleted after the job had been started.
    if (job.accountId === null) throw new MailboxDisconnected();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    // Each fetch adds several listeners on its way through the gateway.
    setMaxListeners(0, job.signal);
    const { mailbox, index, bodies, reader, scans, archiveLock, transactions } = this;
    const provider = this.providers.forAccount(account);
    const held = this.memory.open(account.userId, job.signal);
    try {
      const messages = { provider, held, mailbox, index, bodies };
      const services = { ...messages, reader, scans, archiveLock, transactions };
      return await new ScanTrackingRun(account, maxMessages, job, services).run();
    } finally {
      held.close();
    }
  }
}
