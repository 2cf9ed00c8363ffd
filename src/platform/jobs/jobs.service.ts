import { Injectable } from '@nestjs/common';
import { SecretBox } from '../crypto/secret-box';
import { newId } from '../crypto/ids';
import { Transaction, Transactions } from '../database/transactions';
import { ResourceNotFound } from '../http/domain-error';
import { BullQueues } from '../redis/bull-queues';
import { AppConfig } from '../config/app-config';
import { idempotencyOfRequest, nextIdempotencyOfRequest, onceKey } from './idempotency';
import { JobAudits } from './job-audits';
import { JobCancellations } from './job-cancellations';
import type { JobDefinition } from './job-definition';
import { JobUpdates } from './job-updates';
import { validatePayload } from './job-payload';
import type { JobRecord } from './job-record';
import { parseJobReference } from './job-record';
import { IdempotencyKeyReused, JobFinished, JobOwnerInactive, TooManyJobs } from './jobs.errors';
import { EndedJobsRepository } from './ended-jobs.repository';
import { JobAccounts, JobsRepository, JobWithPayload, NewJob } from './jobs.repository';

export interface JobOwner {
  readonly userId: string;
  /** null for jobs that concern no single account; such jobs may run side by side. */
  readonly accountId: string | null;
}

export interface StartJobOptions {
  /** Items to process, when already known. */
  readonly total?: number;
  /** Passphrases and the like: sealed, kept apart from the payload, erased when the job ends. */
  readonly secrets?: object;
  /** The row becomes part of this transaction; workers are woken when it has committed. */
  readonly transaction?: Transaction;
  /** For schedules: of all starts with the same key (and user) only the first makes a job. */
  readonly once?: string;
}

/** Stored payloads of a user's open jobs together: about 100 jobs over 50,000 messages each. */
const MAX_OPEN_PAYLOAD_BYTES = 128 * 1024 * 1024;
/** Likewise of ended ones, of which the oldest are cleared: starting and cancelling fills no disk. */
const KEPT_PAYLOAD_BYTES = MAX_OPEN_PAYLOAD_BYTES;

export interface StartedJob {
  /** `<kind>-<number>` */
  readonly jobId: string;
}

/** Starts and cancels jobs. The table is the truth; queues and updates only save time. See ADR 1. */
@Injectable()
export class JobsService {
  constructor(
    private readonly repository: JobsRepository,
    private readonly endedJobs: EndedJobsRepository,
    private readonly queues: BullQueues,
    private readonly updates: JobUpdates,
    private readonly secrets: SecretBox,
    private readonly audits: JobAudits,
    private readonly cancellations: JobCancellations,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /**
   * Starts a job. Within an HTTP request that carries an `Idempotency-Key`, a repeated request gets the job of the
   * first one.
   * @throws ValidationFailed when the payload does not fit its class
   * @throws IdempotencyKeyReused when the key came with another request before
   * @throws JobOwnerInactive when the user is deactivated or gone, and the kind does not survive that
   * @throws TooManyJobs when the user has as many open jobs as they may have, and the kind does not survive a deactivation
   */
  async start<P extends object>(
    definition: JobDefinition<P>,
    owner: JobOwner,
    payload: P,
    options: StartJobOptions = {},
  ): Promise<StartedJob> {
    const idempotency =
      options.once === undefined ? idempotencyOfRequest(this.fingerprint) : onceKey(options.once);
    const id = newId();
    const job: NewJob = {
      id,
      definition,
      userId: owner.userId,
      accountId: owner.accountId,
      total: options.total ?? 0,
      payload: await validatePayload(definition, payload),
      sealedSecrets: options.secrets ? this.secrets.seal(options.secrets, id) : null,
      idempotency,
    };
    const create = async (transaction: Transaction): Promise<StartedJob> => {
      const { record, isNew } = await this.insertOrFind(job, transaction);
      if (isNew) {
        await this.audits.recordStart(record, definition, payload, transaction);
        transaction.afterCommit(() => {
          this.updates.publish(record);
          this.queues.wake(record.lane);
        });
      }
      return { jobId: record.jobId };
    };
    return options.transaction ? create(options.transaction) : this.transactions.run(create);
  }

  /**
   * Starts a job like `start`, without a request of its user, such as from a schedule that goes through many users.
   * @returns null when the user was deactivated or deleted meanwhile, or has too many open jobs
   */
  async startIfPossible<P extends object>(
    definition: JobDefinition<P>,
    owner: JobOwner,
    payload: P,
    options: StartJobOptions = {},
  ): Promise<StartedJob | null> {
    try {
      return await this.start(definition, owner, payload, options);
    } catch (error) {
      if (error instanceof JobOwnerInactive || error instanceof TooManyJobs) return null;
      throw error;
    }
  }

  /**
   * The job that this request's `Idempotency-Key` already names, or null. For starts whose payload is computed from data
   * that this very job changes.
   * @throws IdempotencyKeyReused when the key came with another request before
   */
  async findRepeated(userId: string): Promise<JobWithPayload | null> {
    const idempotency = nextIdempotencyOfRequest(this.fingerprint);
    if (!idempotency) return null;
    const { key, requestHash } = idempotency;
    await this.repository.expireKey(userId, key);
    const existing = await this.repository.findByKey(userId, key);
    if (!existing) return null;
    if (existing.requestHash !== requestHash) throw new IdempotencyKeyReused();
    return this.repository.findOwned(userId, { id: existing.record.id });
  }

  /** Makes sure that one more job of the user may be open. @throws TooManyJobs */
  async ensureRoom(userId: string, transaction: Transaction): Promise<void> {
    if (await this.isFull(userId, transaction)) throw new TooManyJobs();
  }

  /**
   * Refuses a start early, before work that comes first, such as a long upload; `start` looks again. A repeated request
   * may always go on: it gets the job that its `Idempotency-Key` names.
   * @throws TooManyJobs
   */
  async ensureRoomToStart(userId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      if (!(await this.isFull(userId, transaction))) return;
      const idempotency = nextIdempotencyOfRequest(this.fingerprint);
      const existing = idempotency && (await this.repository.findByKey(userId, idempotency.key, transaction));
      if (!existing) throw new TooManyJobs();
    });
  }

  /**
   * Cancels one of the user's jobs, named by its id or `<kind>-<number>`; an active one stops at the end of its
   * batch. Cancelling a job twice is no error.
   * @param within the only accounts whose jobs may be cancelled; null for all of the user's jobs
   * @throws ResourceNotFound
   * @throws JobFinished when it has completed or failed
   */
  async cancel(userId: string, jobId: string, within: JobAccounts = null): Promise<void> {
    const reference = parseJobReference(jobId);
    const job = reference && (await this.repository.findRecordOwned(userId, reference, within));
    if (!job) throw new ResourceNotFound('job');
    if (await this.cancellations.cancel(userId, job.id)) return;
    const current = await this.repository.findRecordOwned(userId, { id: job.id });
    if (!current) throw new ResourceNotFound('job');
    if (current.status !== 'cancelled') throw new JobFinished();
  }

  private readonly fingerprint = (text: string): string => this.secrets.fingerprint(text, 'idempotency');

  private async isFull(userId: string, transaction: Transaction): Promise<boolean> {
    await this.repository.lockStarts(userId, transaction);
    const { jobs, payloadBytes } = await this.repository.openOf(userId, transaction);
    return jobs >= this.config.jobs.maxOpenPerUser || payloadBytes > MAX_OPEN_PAYLOAD_BYTES;
  }

  private async insertOrFind(
    job: NewJob,
    transaction: Transaction,
  ): Promise<{ record: JobRecord; isNew: boolean }> {
    // Jobs that the service owes to the user, such as a deletion, start even when the list is full.
    const isFull = !job.definition.survivesDeactivation && (await this.isFull(job.userId, transaction));
    const record = isFull ? null : await this.repository.insert(job, transaction);
    if (record) {
      await this.endedJobs.clearLongPayloads(job.userId, KEPT_PAYLOAD_BYTES, transaction);
      return { record, isNew: true };
    }
    if (!(await this.repository.mayStart(job.userId, job.definition, transaction)))
      throw new JobOwnerInactive();
    if (!job.idempotency && isFull) throw new TooManyJobs();
    // Reactivated between the two statements: try again.
    if (!job.idempotency) return this.insertOrFind(job, transaction);
    const { key, requestHash } = job.idempotency;
    await this.repository.expireKey(job.userId, key, transaction);
    const existing = await this.repository.findByKey(job.userId, key, transaction);
    if (!existing && isFull) throw new TooManyJobs();
    // The earlier job has just been deleted or its key has expired: the key is free.
    if (!existing) return this.insertOrFind(job, transaction);
    if (existing.requestHash !== requestHash) throw new IdempotencyKeyReused();
    return { record: existing.record, isNew: false };
  }
}
