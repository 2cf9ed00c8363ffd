import { prefetch } from '../../../platform/concurrency/prefetch';
import type { JobContext } from '../../../platform/jobs/job-definition';
import type { MailboxProvider, ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import type { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { StorageQuotaExceeded } from '../archive.errors';
import type { ArchiveMailsDto } from '../dto/archive.dto';
import { type ArchiveWriter, NO_THREADS } from '../writing/archive-writer';
import type { ArchiveWritesRepository } from '../writing/archive-writes.repository';
import type { ArchiveOwner, MailToArchive } from '../writing/mail-to-archive';
import type { ArchivePlan, ArchivePlanner } from './archive-planner';
import { ExpectedSizes } from './expected-sizes';
import { FailedMessages, type SavedFailedMessages } from './failed-messages';
import type { MemoryReservation } from './message-budget';
import { type FetchOutcome, type RawMessageFetcher, sizeOfOutcome } from './raw-message-fetcher';
import { streamRawMessages } from './raw-message-stream';

/** Number of consecutive unavailable messages from which the provider counts as down. */
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
export interface ArchiveMailsServices {
  readonly provider: MailboxProvider;
  readonly planner: ArchivePlanner;
  readonly fetcher: RawMessageFetcher;
  readonly writer: ArchiveWriter;
  readonly repository: ArchiveWritesRepository;
  readonly index: MessageIndexService;
  /** Memory reserved for the messages of the run. */
  readonly reservation: MemoryReservation;
}

type StagedMails = Awaited<ReturnType<ArchiveWriter['stage']>>;

/** A batch of fetched messages: those with bytes are staged, the others have other outcomes. */
interface StagedOutcomes {
  readonly outcomes: readonly FetchOutcome[];
  readonly mails: readonly MailToArchive[];
  /** Null when no message of the batch could be fetched. */
  readonly staged: StagedMails | null;
}

type LaterOutcome = Extract<FetchOutcome, { kind: 'later' }>;

/**
 * One attempt of a job that copies messages into the archive. Three batches are in progress at a time: one is fetched and
 * parsed, the files of the one before it are written, and the rows of the one before that are committed. A checkpoint
 * follows each commit.
 */
export class ArchiveMailsRun {
  private readonly owner: ArchiveOwner;
  private readonly isDifferential: boolean;
  private readonly saved: Checkpoint | undefined;
  private readonly failed: FailedMessages;
  /** Database instant of the job's first attempt. */
  private startedAt: string;
  private archived: number;
  private bytes: number;
  private skipped = 0;

  constructor(
    account: ProviderAccount,
    private readonly request: ArchiveMailsDto,
    private readonly job: JobContext,
    private readonly services: ArchiveMailsServices,
  ) {
    this.owner = { userId: account.userId, accountId: account.id };
    this.isDifferential = request.differential ?? true;
    const asked = request.messageIds ? [...new Set(request.messageIds)] : null;
    this.saved = job.savedCheckpoint<Checkpoint>();
    this.failed = new FailedMessages(asked, this.saved?.failed);
    this.archived = this.saved?.archived ?? 0;
    this.bytes = this.saved?.bytes ?? 0;
  }

  /**
   * Archives the messages, from the job's checkpoint on.
   * @throws StorageQuotaExceeded; errors of the whole account, of an outage, and of the archive's store
   */
  async run(): Promise<ArchiveResult> {
    this.startedAt = this.saved?.startedAt ?? (await this.services.repository.readClock());
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
    const stop = (): void => this.services.reservation.close();
    const batches = prefetch(this.stageBatches(ids, stop), stop, async ({ staged }) => staged?.abandon());
    for await (const { outcomes, mails, staged } of batches) {
      for (const outcome of outcomes) {
        if (outcome.kind === 'failed') this.fail(outcome.messageId, outcome.reason);
        else if (outcome.kind === 'later') later.push(outcome);
      }
      if (staged) await this.commit(staged, mails);
      await this.checkpoint();
    }
    return later;
  }

  /** @param stop ends the fetches that wait for memory when files cannot be written */
  private async *stageBatches(
    ids: readonly string[],
    stop: () => void,
  ): AsyncGenerator<StagedOutcomes, void, undefined> {
    const options = { replace: !this.isDifferential, signal: this.job.signal };
    for await (const outcomes of this.fetchBatches(ids)) {
      const mails = outcomes.flatMap((outcome) => (outcome.kind === 'mail' ? [outcome.mail] : []));
      try {
        const staged =
          mails.length === 0 ? null : await this.services.writer.stage(this.owner, mails, options);
        yield { outcomes, mails, staged };
      } catch (error) {
        stop();
        throw error;
      }
    }
  }

  private fetchBatches(ids: readonly string[]): AsyncGenerator<FetchOutcome[], void, undefined> {
    const { provider, fetcher, index, reservation } = this.services;
    const { signal } = this.job;
    const sizes = new ExpectedSizes(ids, (chunk) => index.findSizes(this.owner.accountId, chunk));
    const fetch = async ([position, messageId]: [number, string]): Promise<FetchOutcome> => {
      const expectedBytes = await sizes.at(position);
      return fetcher.fetch(provider, messageId, { signal, expectedBytes, reservation });
    };
    return streamRawMessages(ids.entries(), fetch, {
      concurrency: provider.rawsAtOnce,
      outage: OUTAGE,
      sizeOf: sizeOfOutcome,
    });
  }

  /** Writes the rows of a batch. @throws StorageQuotaExceeded when the quota has refused some of its mails */
  private async commit(staged: StagedMails, mails: readonly MailToArchive[]): Promise<void> {
    const written = await staged.commit(NO_THREADS);
    for (const { messageId } of mails) this.services.reservation.release(messageId);
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

  /**
   * Counts the mails that an earlier attempt of the job archived after this one had made its plan: that attempt had lost
   * its lease but kept running.
   * @param kept ids of messages that turned out to be archived already when this attempt came to write them
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
