import { Injectable } from '@nestjs/common';
import { IsString, Matches } from 'class-validator';
import { pickFacts } from '../../platform/access/audit-trail.port';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { JobReader } from '../../platform/jobs/job-reader';
import { counter } from '../../platform/logging/metrics';
import { MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { MailboxProviders } from '../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { MessageIndexService } from '../index/message-index.service';
import { BulkChanger } from './bulk-changer';
import { ChangeJournalRepository } from './change-journal.repository';
import { DoubtfulChanges } from './doubtful-changes';
import { OutcomeCheck } from './outcome-check';
import { UndoChangesRun } from './undo-changes.run';
import { UndoRefused } from './undo.errors';

export class UndoChangesPayload {
  /** Id of the job to undo: `<kind>-<number>`. */
  @IsString()
  @Matches(/^[a-z][a-z0-9_]{0,63}-\d{1,15}$/)
  jobId: string;
}

export const UndoChanges = defineJob('undo_changes', {
  queue: JobQueue.InteractiveBulk,
  payload: UndoChangesPayload,
  undoable: true,
  audited: {
    act: 'messages.undo',
    factsOfStart: ({ jobId }) => ({ target: { type: 'job', id: jobId } }),
    factsOfEnd: (result) =>
      pickFacts(
        result,
        'restored',
        'alreadyBack',
        'changedSince',
        'gone',
        'labelGone',
        'unknownBefore',
        'refused',
        'unknown',
        'evidence',
      ),
  },
});

/** Undoes the changes of another job: loads its journal, and takes back what it says; see `UndoChangesRun`. */
@Injectable()
@HandlesJob(UndoChanges)
export class UndoChangesHandler implements JobHandler<UndoChangesPayload> {
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
    private readonly bulk: BulkChanger,
    private readonly journal: ChangeJournalRepository,
    private readonly doubtful: DoubtfulChanges,
    private readonly jobs: JobReader,
  ) {}

  /** @throws UndoRefused, the provider taxonomy */
  async run({ jobId }: UndoChangesPayload, job: JobContext): Promise<JobResult> {
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
    const result = await new UndoChangesRun(account, chunks, job, services).run();
    for (const [outcome, count] of Object.entries(result))
      if (typeof count === 'number' && count > 0) this.outcomesOfMessages.inc({ outcome }, count);
    return result;
  }
}
