import { Injectable } from '@nestjs/common';
import { SecretBox } from '../crypto/secret-box';
import { deleteInBatches } from '../database/base.repository';
import { Transaction, Transactions } from '../database/transactions';
import { ResourceNotFound } from '../http/domain-error';
import { BullQueues } from '../redis/bull-queues';
import { AppConfig } from '../config/app-config';
import { EndedJobsRepository } from './ended-jobs.repository';
import { idempotencyOfRequest } from './idempotency';
import { JobAudits } from './job-audits';
import type { JobFailure } from './job.entity';
import { JobRecord, parseJobReference } from './job-record';
import { JobRegistry } from './job-registry';
import { JobUpdates } from './job-updates';
import { IdempotencyKeyReused, JobNotResumable, JobNotRetryable } from './jobs.errors';
import { JobAccounts, JobsRepository } from './jobs.repository';
import { JobsService, StartedJob } from './jobs.service';

const DAY_MS = 86_400_000;
/**
 * Rows of ended jobs that are kept for a user: more than a program starts in weeks of steady work, few enough for the
 * disk.
 */
const KEPT_ROWS = 20_000;

/**
 * Resumes ended jobs, repeats them for the items that failed, and deletes old ones. It has ten dependencies because resuming
 * a job needs all that starting one does, and deleting it all that ending it does.
 */
@Injectable()
export class EndedJobsService {
  constructor(
    private readonly repository: JobsRepository,
    private readonly ended: EndedJobsRepository,
    private readonly jobs: JobsService,
    private readonly registry: JobRegistry,
    private readonly audits: JobAudits,
    private readonly updates: JobUpdates,
    private readonly queues: BullQueues,
    private readonly secrets: SecretBox,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /**
   * Takes up a job that failed or was cancelled, from its checkpoint. A repeated request with the same `Idempotency-Key`
   * changes nothing more.
   * @param within the only accounts whose jobs may be taken up; null for all of the user's jobs
   * @throws ResourceNotFound, JobNotResumable, TooManyJobs, IdempotencyKeyReused
   */
  async resume(userId: string, jobId: string, within: JobAccounts): Promise<StartedJob> {
    const found = await this.find(userId, jobId, within);
    const key = idempotencyOfRequest((text) => this.secrets.fingerprint(text, 'idempotency'))?.key ?? null;
    const resumed = await this.transactions.run(async (transaction) => {
      await this.repository.lockStarts(userId, transaction);
      if (key !== null && (await this.isRepeated(userId, found.id, key, transaction))) return found;
      return this.requeue(found, key, transaction);
    });
    return { jobId: resumed.jobId };
  }

  /**
   * Starts a job over the items that failed in a completed one.
   * @throws ResourceNotFound, JobNotRetryable, and what `JobsService.start` throws
   */
  async retryFailed(userId: string, jobId: string, within: JobAccounts): Promise<StartedJob> {
    const record = await this.find(userId, jobId, within);
    const registered = this.registry.find(record.type);
    const items = failedItemsOf(record);
    if (!registered?.definition.retryOf || record.status !== 'completed' || items.length === 0)
      throw new JobNotRetryable();
    if (record.accountId === null) throw new JobNotRetryable('The mailbox of the job is deleted.');
    if (record.result?.['failuresTruncated'] === true)
      throw new JobNotRetryable(
        `More items failed than are remembered by name. Start the job again: it skips what is done.`,
      );
    const job = await this.repository.findOwned(userId, { id: record.id }, within);
    if (!job || job.payloadRemoved) throw new JobNotRetryable('The job ended too long ago.');
    const { definition } = registered;
    const payload = definition.retryOf!(job.payload, items);
    const owner = { userId, accountId: record.accountId };
    return this.jobs.start(definition, owner, payload, { total: items.length });
  }

  /** Clears what jobs that ended long ago would need to go on, in batches. @returns how many */
  clearOld(now = new Date()): Promise<number> {
    const before = daysBefore(now, this.config.jobs.contentDays);
    return deleteInBatches((limit) => this.ended.clearEndedBefore(before, limit));
  }

  /**
   * Deletes jobs that ended very long ago, and of a user with very many the oldest, in batches.
   * @param kept ended jobs of a user that are left
   * @returns number of jobs deleted
   */
  async deleteOld(now = new Date(), kept = KEPT_ROWS): Promise<number> {
    const before = daysBefore(now, this.config.jobs.historyDays);
    let deleted = await deleteInBatches((limit) => this.ended.deleteEndedBefore(before, limit));
    for (const { userId, number } of await this.ended.findExcesses(kept))
      deleted += await deleteInBatches((limit) => this.ended.deleteEndedUpTo(userId, number, limit));
    return deleted;
  }

  private async requeue(ended: JobRecord, key: string | null, transaction: Transaction): Promise<JobRecord> {
    const { id, userId, type } = ended;
    const registered = this.registry.find(type);
    if (!registered?.definition.resumes) throw new JobNotResumable();
    await this.jobs.ensureRoom(userId, transaction);
    const record = await this.repository.resume(userId, id, key, transaction);
    if (!record) throw new JobNotResumable();
    if (record.accountId === null && !registered.definition.outlivesAccount)
      throw new JobNotResumable('The mailbox of the job is deleted.');
    // The row is locked by now: code that deletes the job's other data skips locked jobs.
    const payload = await this.repository.payloadOf(userId, id, transaction);
    if (registered.handler.canResume && !(await registered.handler.canResume(payload, transaction)))
      throw new JobNotResumable();
    await this.audits.recordResumption(record, transaction);
    transaction.afterCommit(() => {
      this.updates.publish(record);
      this.queues.wake(record.lane);
    });
    return record;
  }

  private async find(userId: string, jobId: string, within: JobAccounts): Promise<JobRecord> {
    const reference = parseJobReference(jobId);
    const record = reference && (await this.repository.findRecordOwned(userId, reference, within));
    if (!record) throw new ResourceNotFound('job');
    return record;
  }

  /** @throws IdempotencyKeyReused when a job was started with the key: that was another request */
  private async isRepeated(
    userId: string,
    id: string,
    key: string,
    transaction: Transaction,
  ): Promise<boolean> {
    await this.repository.expireKey(userId, key, transaction);
    if (await this.repository.findByKey(userId, key, transaction)) throw new IdempotencyKeyReused();
    return this.repository.isResumedBy(userId, id, key, transaction);
  }
}

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

function failedItemsOf({ result }: JobRecord): string[] {
  const failures = (result?.['failures'] ?? []) as readonly JobFailure[];
  return [...new Set(failures.map(({ item }) => item))];
}
