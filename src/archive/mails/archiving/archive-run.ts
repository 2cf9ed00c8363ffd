import { prefetch } from '../../../platform/concurrency/prefetch';
import type { JobContext } from '../../../platform/jobs/job-definition';
import type { MailboxProvider, ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { StorageQuotaExceeded } from '../archive.errors';
import type { ArchiveMailsDto } from '../dto/archive.dto';
import type { ArchiveWriter, StagedBatch } from '../writing/archive-writer';
import type { ArchiveWritesRepository } from '../writing/archive-writes.repository';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import type { ArchivePlan, ArchivePlanner } from './archive-planner';
import { ExpectedSizes } from './expected-sizes';
import { FailedMessages, type SavedFailedMessages } from './failed-messages';
import type { MemoryReservation } from './message-budget';
import type { FetchOutcome, RawMessageFetcher } from './raw-message-fetcher';
import { streamRawMessages } from './raw-message-stream';

/** Unavailable messages in a row that mean that the provider is down. */
const OUTAGE = 50;

/**
 * Small enough to be written with every batch: the archive itself tells which messages are archived. Messages written
 * between the last checkpoint and a crash are recognised by their time.
 */
interface Checkpoint {
  readonly startedAt: string;
  readonly archived: number;
  readonly bytes: number;
  readonly skipped: number;
  readonly failed: SavedFailedMessages;
}

/** The numbers of messages by outcome. */
export interface ArchiveResult {
  readonly [count: string]: unknown;
  readonly archived: number;
  /** Messages that were in the archive already. */
  readonly skipped: number;
  readonly failed: number;
  readonly bytes: number;
}

/** The services of a run. */
export interface ArchiveServices {
  readonly provider: MailboxProvider;
  readonly planner: ArchivePlanner;
  readonly fetcher: RawMessageFetcher;
  readonly writer: ArchiveWriter;
  readonly repository: ArchiveWritesRepository;
  readonly index: MessageIndexService;
  /** The memory of the run's messages. */
  readonly held: MemoryReservation;
}

/** A batch whose files are written, but for their rows, with the outcomes of its other messages. */
interface FiledOutcomes {
  readonly outcomes: readonly FetchOutcome[];
  /** Null when no message of the batch could be fetched. */
  readonly filed: StagedBatch | null;
}

type LaterOutcome = Extract<FetchOutcome, { kind: 'later' }>;

/**
 * One attempt of a job that copies messages into the archive. Three batches are on their way at a time: one is fetched and parsed, the
 * files of the one before are written, and the rows of the one before that are committed. A checkpoint follows each commit.
 */
export class ArchiveRun {
  private readonly owner: ArchiveOwner;
  private readonly isDifferential: boolean;
  private readonly failed: FailedMessages;
  private archived: number;
  private bytes: number;
  private skipped = 0;

  private constructor(
    private readonly services: ArchiveServices,
    account: ProviderAccount,
    private readonly request: ArchiveMailsDto,
    private readonly job: JobContext,
    /** Database instant of the job's first attempt. */
    private readonly startedAt: string,
    saved: Checkpoint | undefined,
  ) {
    this.owner = { userId: account.userId, accountId: account.id };
    this.isDifferential = request.differential ?? true;
    const asked = request.messageIds ? [...new Set(request.messageIds)] : null;
    this.failed = new FailedMessages(asked, saved?.failed);
    this.archived = saved?.archived ?? 0;
    this.bytes = saved?.bytes ?? 0;
  }

  /** Begins a run, or continues from the job's checkpoint. */
  static async begin(
    services: ArchiveServices,
    account: ProviderAccount,
    request: ArchiveMailsDto,
    job: JobContext,
  ): Promise<ArchiveRun> {
    const saved = job.savedCheckpoint<Checkpoint>();
    const startedAt = saved?.startedAt ?? (await services.repository.readClock());
    return new ArchiveRun(services, account, request, job, startedAt, saved);
  }

  /** @throws StorageQuotaExceeded; errors of the whole account, of an outage, and of the archive's store */
  async run(): Promise<ArchiveResult> {
    const { todo } = await this.plan();
    const postponed = await this.archiveAll(todo);
    const unavailable = await this.archiveAll(postponed.map(({ messageId }) => messageId));
    // Nothing could be fetched at all: an outage, not a list of failed messages.
    if (unavailable[0] && this.archived === 0) throw unavailable[0].error;
    for (const { messageId, error } of unavailable) this.fail(messageId, error.code);
    await this.checkpoint();
    return this.result();
  }

  /** Lists the messages to archive, and counts what an earlier attempt archived after its last checkpoint. */
  private async plan(): Promise<ArchivePlan> {
    const { planner, provider } = this.services;
    const { startedAt, failed, job } = this;
    const options = { priority: 'background', signal: job.signal } as const;
    const selected = await planner.select(this.request, provider, options);
    const plan = await planner.plan(this.owner.accountId, selected, {
      startedAt,
      failed,
      differential: this.isDifferential,
    });
    this.skipped = plan.skipped;
    const { doneBefore } = plan;
    if (doneBefore.mails > this.archived) {
      job.progress({ processed: doneBefore.mails - this.archived });
      this.archived = doneBefore.mails;
      this.bytes = doneBefore.bytes;
    }
    job.setTotal(this.archived + plan.todo.length + failed.size);
    await this.checkpoint();
    return plan;
  }

  /** Archives messages once each. @returns those for which the provider was unavailable */
  private async archiveAll(ids: readonly string[]): Promise<LaterOutcome[]> {
    const later: LaterOutcome[] = [];
    // Fetches that wait for memory would wait for a writer that has stopped.
    const stop = (): void => this.services.held.close();
    const batches = prefetch(this.writeFiles(ids, stop), stop, (batch) => this.abandon(batch));
    for await (const { outcomes, filed } of batches) {
      for (const outcome of outcomes) {
        if (outcome.kind === 'failed') this.fail(outcome.messageId, outcome.reason);
        else if (outcome.kind === 'later') later.push(outcome);
      }
      if (filed) await this.commit(filed);
      await this.checkpoint();
    }
    return later;
  }

  /** @param stop ends the fetches that wait for memory when files cannot be written */
  private async *writeFiles(
    ids: readonly string[],
    stop: () => void,
  ): AsyncGenerator<FiledOutcomes, void, undefined> {
    const options = { replace: !this.isDifferential, signal: this.job.signal };
    for await (const outcomes of this.fetchBatches(ids)) {
      const mails = outcomes.flatMap((outcome) => (outcome.kind === 'mail' ? [outcome.mail] : []));
      try {
        const filed =
          mails.length === 0 ? null : await this.services.writer.writeFiles(this.owner, mails, options);
        yield { outcomes, filed };
      } catch (error) {
        stop();
        throw error;
      }
    }
  }

  private fetchBatches(ids: readonly string[]): AsyncGenerator<FetchOutcome[], void, undefined> {
    const { provider, fetcher, index, held } = this.services;
    const { signal } = this.job;
    const sizes = new ExpectedSizes(ids, (chunk) => index.findSizes(this.owner.accountId, chunk));
    const fetch = async ([position, messageId]: [number, string]): Promise<FetchOutcome> => {
      const expectedBytes = await sizes.at(position);
      return fetcher.fetch(provider, messageId, { signal, expectedBytes, held });
    };
    return streamRawMessages(ids.entries(), fetch, {
      concurrency: provider.rawsAtOnce,
      outage: OUTAGE,
      sizeOf: sizeOfOutcome,
    });
  }

  /** Writes the rows of a batch. @throws StorageQuotaExceeded when the quota has refused some of its mails */
  private async commit(filed: StagedBatch): Promise<void> {
    const { writer, held } = this.services;
    const { mails } = filed;
    const written = await writer.commit(filed);
    for (const { messageId } of mails) held.release(messageId);
    const own = await this.countOwn(written.kept);
    const archived = written.archived.length + own.mails;
    this.archived += archived;
    this.bytes += written.bytes + own.bytes;
    this.skipped += written.kept.length - own.mails;
    this.job.progress({ processed: archived });
    if (written.refused.length === 0) return;
    await this.checkpoint();
    throw new StorageQuotaExceeded();
  }

  private async abandon({ filed }: FiledOutcomes): Promise<void> {
    if (filed) await this.services.writer.abandon(filed);
  }

  /**
   * Counts mails that a lost attempt of the same job, frozen but not dead, wrote after this attempt had planned.
   * @param kept message ids that were in the archive when they were to be written
   */
  private async countOwn(kept: readonly string[]): Promise<{ mails: number; bytes: number }> {
    if (kept.length === 0 || this.job.attempt === 1) return { mails: 0, bytes: 0 };
    const { repository } = this.services;
    const found = await repository.findArchived(this.owner.accountId, kept, this.startedAt);
    const own = found.filter(({ isRecent }) => isRecent);
    return { mails: own.length, bytes: own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  }

  private fail(messageId: string, reason: string): void {
    this.failed.add(messageId);
    this.job.fail(messageId, reason);
  }

  private checkpoint(): Promise<void> {
    this.job.report(this.result());
    const { startedAt, archived, bytes, skipped } = this;
    return this.job.checkpoint({
      startedAt,
      archived,
      bytes,
      skipped,
      failed: this.failed.save(),
    } satisfies Checkpoint);
  }

  private result(): ArchiveResult {
    const { archived, skipped, bytes } = this;
    return { archived, skipped, failed: this.failed.size, bytes };
  }
}

/** Bytes that an outcome holds in memory. */
export const sizeOfOutcome = (outcome: FetchOutcome): number =>
  outcome.kind === 'mail' ? outcome.mail.raw.length : 0;
