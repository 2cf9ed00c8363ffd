import { Injectable } from '@nestjs/common';
import { counter } from '../../platform/logging/metrics';
import type { JobContext } from '../../platform/jobs/job-definition';
import { JobReader } from '../../platform/jobs/job-reader';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { MailboxProviders } from '../../providers/port/mailbox-provider.port';
import { MessageIndexService } from '../index/message-index.service';
import { BulkRunner } from './bulk-run';
import { ChangeJournalRepository } from './change-journal.repository';
import { DoubtfulChanges } from './doubtful-changes';
import { OutcomeCheck } from './outcome-check';
import { UndoRefused } from './undo.errors';
import { UndoResult, UndoRun } from './undo-run';

/** Undoes a job: loads its journal and runs an `UndoRun`. */
@Injectable()
export class UndoRunner {
  private readonly outcomesOfMessages = counter({
    name: 'mailroom_undo_messages_total',
    help: 'Messages of changes that were undone, by outcome',
    labelNames: ['outcome'],
  });

  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly outcomes: OutcomeCheck,
    private readonly bulk: BulkRunner,
    private readonly journal: ChangeJournalRepository,
    private readonly doubtful: DoubtfulChanges,
    private readonly jobs: JobReader,
  ) {}

  /** @param jobId the job to undo @throws UndoRefused, the provider taxonomy */
  async run(jobId: string, job: JobContext): Promise<UndoResult> {
    // The account was deleted after the job was started.
    if (job.accountId === null) throw new MailboxDisconnected();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    const { id } = await this.jobs.findRecord(job.userId, jobId);
    const written = await this.journal.chunksOf(job.userId, id);
    if (written.length === 0) throw new UndoRefused('undo-expired');
    const options = { priority: 'background', signal: job.signal } as const;
    const chunks = await this.doubtful.resolve(account, id, written, options);
    const { index, outcomes, bulk } = this;
    const services = { provider: this.providers.forAccount(account), index, outcomes, bulk };
    const result = await new UndoRun(account, chunks, job, services).run();
    for (const [outcome, count] of Object.entries(result))
      if (typeof count === 'number' && count > 0) this.outcomesOfMessages.inc({ outcome }, count);
    return result;
  }
}
