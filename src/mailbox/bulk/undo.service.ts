import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '../../platform/database/base.repository';
import { type Transaction, Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { JobReader, type JobAccounts, type JobWithPayload } from '../../platform/jobs/job-reader';
import { JobRegistry } from '../../platform/jobs/job-registry';
import { JobsService } from '../../platform/jobs/jobs.service';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { MailboxProviders } from '../../providers/port/mailbox-provider.port';
import { type JournalChunk, TRASH_KEPT_DAYS } from './change-journal';
import { ChangeJournalRepository, type JournallingJob } from './change-journal.repository';
import type { UndoResponse, UndoStartedResponse } from './dto/undo.response';
import { FINAL_ACTIONS } from './inverse-change';
import { UndoChanges } from './undo-changes.job';
import { UndoRefusal, UndoRefused } from './undo.errors';
import { countChangeCalls, countMessages } from './undo-changes.run';

const DAY_MS = 86_400_000;
const NOTHING = { until: null, messages: 0, calls: 0, undoneBy: null };

/** Records changes so that they can be undone, determines whether jobs can be, and starts jobs that undo them. */
@Injectable()
export class UndoService {
  constructor(
    private readonly reader: JobReader,
    private readonly registry: JobRegistry,
    private readonly journal: ChangeJournalRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @param within the only accounts whose jobs are shown; null for all of the user's jobs
   * @throws ResourceNotFound
   */
  async describe(userId: string, jobId: string, within: JobAccounts): Promise<UndoResponse> {
    const job = await this.reader.find(userId, jobId, within);
    const refusal = this.refusalOf(job);
    if (refusal) return { undoable: false, reason: refusal, ...NOTHING };
    const summary = await this.journal.summarise(userId, job.record.id);
    const messages = summary ? countMessages(summary.chunks) : 0;
    if (!summary || messages === 0)
      return { undoable: false, reason: refusalWithoutJournal(job), ...NOTHING };
    const undoneBy = await this.findStanding(userId, summary.undoneBy);
    const reason = summary.isExpired ? 'undo-expired' : undoneBy ? 'already-undone' : null;
    return {
      undoable: reason === null,
      reason,
      until: summary.until.toISOString(),
      messages,
      calls: countChangeCalls(summary.chunks, await this.maxIdsPerChange(userId, job)),
      undoneBy,
    };
  }

  /**
   * Starts the job that undoes another. Of two requests at the same time, only one starts it.
   * @throws ResourceNotFound, UndoRefused, MailboxDisconnected, ReauthRequired
   */
  async start(userId: string, jobId: string, within: JobAccounts): Promise<UndoStartedResponse> {
    const { record } = await this.reader.find(userId, jobId, within);
    const repeated = await this.jobs.findRepeated(userId);
    if (repeated) return toStartedResponse(repeated.record.jobId, repeated.record.total);
    const { reason, messages } = await this.describe(userId, jobId, within);
    if (reason) throw new UndoRefused(reason);
    const { accountId } = record;
    if (accountId === null) throw new UndoRefused('not-undoable');
    await this.accounts.requireUsable(userId, accountId);
    return this.transactions.run(async (transaction) => {
      const undoneBy = await this.journal.lock(userId, record.id, transaction);
      if (await this.findStanding(userId, undoneBy, transaction)) throw new UndoRefused('already-undone');
      const owner = { userId, accountId };
      const options = { total: messages, transaction };
      const started = await this.jobs.start(UndoChanges, owner, { jobId: record.jobId }, options);
      await this.journal.markUndone(userId, record.id, started.jobId, transaction);
      return toStartedResponse(started.jobId, messages);
    });
  }

  /**
   * Records changes that another feature's job has made. Replaces the chunk that a lost attempt may have written.
   * @throws JobInterrupted when another process has taken the job over and must write the chunk
   */
  recordChanges(job: JournallingJob, chunk: JournalChunk, transaction: Transaction): Promise<void> {
    return this.journal.write(job, chunk, transaction);
  }

  /** @returns number of deleted chunks */
  deleteExpired(): Promise<number> {
    return deleteInBatches((limit) => this.journal.deleteExpired(limit));
  }

  private refusalOf({ record, payload }: JobWithPayload): UndoRefusal | null {
    if (!this.registry.find(record.type)?.definition.undoable || record.accountId === null)
      return 'not-undoable';
    const action = record.result?.['action'] ?? payload['action'];
    if (typeof action === 'string' && FINAL_ACTIONS.includes(action)) return 'not-undoable';
    return record.completedAt === null ? 'job-not-finished' : null;
  }

  private async maxIdsPerChange(userId: string, { record }: JobWithPayload): Promise<number> {
    const account = await this.accounts.requireOwned(userId, record.accountId!);
    return this.providers.forAccount(account).maxIdsPerChange;
  }

  /** Returns the job that undoes another; null when it has failed or was cancelled, so that another one may do the rest. */
  private async findStanding(
    userId: string,
    undoneBy: string | null,
    transaction?: Transaction,
  ): Promise<string | null> {
    if (undoneBy === null) return null;
    try {
      const { status, completedAt } = await this.reader.findRecord(userId, undoneBy, null, transaction);
      return completedAt !== null && status !== 'completed' ? null : undoneBy;
    } catch (error) {
      if (error instanceof ResourceNotFound) return undoneBy;
      throw error;
    }
  }
}

/** Returns the reason for which an undoable job has no journal. */
function refusalWithoutJournal({ record }: JobWithPayload): UndoRefusal {
  const age = record.completedAt === null ? 0 : Date.now() - Date.parse(record.completedAt);
  return age > TRASH_KEPT_DAYS * DAY_MS ? 'undo-expired' : 'nothing-changed';
}

function toStartedResponse(jobId: string, messages: number): UndoStartedResponse {
  const count = messages.toLocaleString('en-US');
  return { jobId, message: `Undo started: ${count} message${messages === 1 ? '' : 's'}` };
}
