import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { inBatches, mapConcurrently } from '../../../platform/concurrency/map-concurrently';
import { prefetch } from '../../../platform/concurrency/prefetch';
import type { JobContext } from '../../../platform/jobs/job-definition';
import {
  MailboxProvider,
  MailboxProviders,
  ProviderAccount,
} from '../../../providers/port/mailbox-provider.port';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { StorageQuotaExceeded } from '../archive.errors';
import type { ArchiveMailsDto } from '../dto/archive.dto';
import { ArchiveWriter, type FiledBatch } from '../writing/archive-writer';
import { ArchiveWritesRepository } from '../writing/archive-writes.repository';
import type { MailToArchive } from '../writing/mail-to-archive';
import { ArchivePlanner } from './archive-planner';
import { FailedMessages, type SavedFailedMessages } from './failed-messages';
import { type HeldMessages, MessageBudget } from './message-budget';
import { FetchOutcome, RawMessageFetcher } from './raw-message-fetcher';

const CHUNK = 500;

/**
 * Sizes of messages, as far as they are known, looked up chunk by chunk while a list is processed in order; chunks
 * already processed are dropped.
 */
export class ExpectedSizes {
  private readonly chunks = new Map<number, Promise<ReadonlyMap<string, number>>>();

  constructor(
    private readonly ids: readonly string[],
    private readonly lookUp: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>,
  ) {}

  /** Bytes of the message at a position of the list, if known. */
  async at(position: number): Promise<number | undefined> {
    const number = Math.floor(position / CHUNK);
    let chunk = this.chunks.get(number);
    if (!chunk) {
      chunk = this.lookUp(this.ids.slice(number * CHUNK, (number + 1) * CHUNK));
      this.chunks.set(number, chunk);
      this.chunks.delete(number - 2);
    }
    return (await chunk).get(this.ids[position] as string);
  }
}

const MIB = 1024 * 1024;
const BATCH = { maxCount: 200, maxWeight: 8 * MIB, maxDelayMs: 500 };
/** Messages fetched ahead while a batch is being written. */
const AHEAD = { maxWaiting: 200, maxWaitingWeight: 12 * MIB };
/** This many consecutive unavailable messages mean that the provider is down. */
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

/**
 * Copies messages of a mailbox into the archive for a job of any kind. Batches are fetched and parsed, written, and
 * committed at the same time.
 */
@Injectable()
export class MessageArchiver {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly planner: ArchivePlanner,
    private readonly fetcher: RawMessageFetcher,
    private readonly writer: ArchiveWriter,
    private readonly repository: ArchiveWritesRepository,
    private readonly index: MessageIndexService,
    private readonly budget: MessageBudget,
  ) {}

  /** Continues from the job's checkpoint. @param account a usable one */
  async archive(account: ProviderAccount, request: ArchiveMailsDto, job: JobContext): Promise<ArchiveResult> {
    // Each fetch listens to it, several times on its way through the gateway.
    setMaxListeners(0, job.signal);
    const held = this.budget.open(account.userId, job.signal);
    try {
      return await this.archiveHolding(held, account, request, job);
    } finally {
      held.close();
    }
  }

  private async archiveHolding(
    held: HeldMessages,
    account: ProviderAccount,
    request: ArchiveMailsDto,
    job: JobContext,
  ): Promise<ArchiveResult> {
    const differential = request.differential ?? true;
    const owner = { userId: account.userId, accountId: account.id };
    const provider = this.providers.forAccount(account);
    const saved = job.savedCheckpoint<Checkpoint>();
    const startedAt = saved?.startedAt ?? (await this.repository.now());
    const asked = request.messageIds ? [...new Set(request.messageIds)] : null;
    const failed = new FailedMessages(asked, saved?.failed);

    const selected = await this.planner.select(request, provider, {
      priority: 'background',
      signal: job.signal,
    });
    const plan = await this.planner.plan(owner.accountId, selected, {
      startedAt,
      failed,
      differential,
    });
    const done = { archived: saved?.archived ?? 0, bytes: saved?.bytes ?? 0, skipped: plan.skipped };
    if (plan.doneBefore.mails > done.archived) {
      job.progress({ processed: plan.doneBefore.mails - done.archived });
      done.archived = plan.doneBefore.mails;
      done.bytes = plan.doneBefore.bytes;
    }
    job.setTotal(done.archived + plan.todo.length + failed.size);
    const result = (): ArchiveResult => ({
      archived: done.archived,
      skipped: done.skipped,
      failed: failed.size,
      bytes: done.bytes,
    });
    const checkpoint = (): Promise<void> => {
      job.report(result());
      return job.checkpoint({ startedAt, ...done, failed: failed.save() } satisfies Checkpoint);
    };
    await checkpoint();

    const fail = (messageId: string, reason: string): void => {
      failed.add(messageId);
      job.fail(messageId, reason);
    };
    const keep = async (filed: FiledBatch): Promise<void> => {
      const { mails } = filed;
      const written = await this.writer.commit(filed);
      for (const { messageId } of mails) held.release(messageId);
      const before = await this.doneBefore(owner.accountId, written.kept, startedAt, job);
      const archived = written.archived.length + before.mails;
      done.archived += archived;
      done.bytes += written.bytes + before.bytes;
      done.skipped += written.kept.length - before.mails;
      job.progress({ processed: archived });
      if (written.refused.length === 0) return;
      await checkpoint();
      throw new StorageQuotaExceeded();
    };
    const pass = async (ids: readonly string[]): Promise<LaterOutcome[]> => {
      const later: LaterOutcome[] = [];
      const fetches = { accountId: owner.accountId, provider, held, signal: job.signal };
      const settle = async ({ outcomes, filed }: Settling): Promise<void> => {
        for (const outcome of outcomes) {
          if (outcome.kind === 'failed') fail(outcome.messageId, outcome.reason);
          else if (outcome.kind === 'later') later.push(outcome);
        }
        if (filed) await keep(filed);
        await checkpoint();
      };
      const writeFiles = (mails: readonly MailToArchive[]): Promise<FiledBatch> =>
        this.writer.writeFiles(owner, mails, { replace: !differential, signal: job.signal });
      const abandon = async ({ filed }: Settling): Promise<void> => {
        if (filed) await this.writer.abandon(filed);
      };
      // Fetches that wait for room would wait for a writer that has stopped.
      const stop = (): void => held.close();
      const batches = withFiles(this.fetchBatches(ids, fetches), writeFiles, stop);
      for await (const batch of prefetch(batches, stop, abandon)) await settle(batch);
      return later;
    };

    const postponed = await pass(plan.todo);
    const unavailable = await pass(postponed.map(({ messageId }) => messageId));
    // Nothing could be fetched at all: an outage, not a list of failed messages.
    if (unavailable[0] && done.archived === 0) throw unavailable[0].error;
    for (const { messageId, error } of unavailable) fail(messageId, error.code);
    await checkpoint();
    return result();
  }

  /**
   * Mails that a lost attempt of the same job, frozen but not dead, wrote after this attempt had planned.
   * @param kept message ids that were in the archive when they were to be written
   */
  private async doneBefore(
    accountId: string,
    kept: readonly string[],
    startedAt: string,
    job: JobContext,
  ): Promise<{ mails: number; bytes: number }> {
    if (kept.length === 0 || job.attempt === 1) return { mails: 0, bytes: 0 };
    const found = await this.repository.archivedAmong(accountId, kept, startedAt);
    const own = found.filter(({ isRecent }) => isRecent);
    return { mails: own.length, bytes: own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  }

  private fetchBatches(
    ids: readonly string[],
    { accountId, provider, held, signal }: Fetches,
  ): AsyncGenerator<FetchOutcome[], void, undefined> {
    const sizes = new ExpectedSizes(ids, (chunk) => this.index.sizes(accountId, chunk));
    let unavailableInARow = 0;
    const fetch = async ([position, messageId]: [number, string]): Promise<FetchOutcome> => {
      const expectedBytes = await sizes.at(position);
      const outcome = await this.fetcher.fetch(provider, messageId, { signal, expectedBytes, held });
      unavailableInARow = outcome.kind === 'later' ? unavailableInARow + 1 : 0;
      if (outcome.kind === 'later' && unavailableInARow >= OUTAGE) throw outcome.error;
      return outcome;
    };
    const outcomes = mapConcurrently(ids.entries(), fetch, {
      concurrency: provider.rawsAtOnce,
      ...AHEAD,
      weigh: sizeOf,
    });
    return inBatches(outcomes, { ...BATCH, weigh: sizeOf });
  }
}

/** A batch on its way: what became of its messages, and those that have been written, but for their rows. */
interface Settling {
  readonly outcomes: readonly FetchOutcome[];
  readonly filed: FiledBatch | null;
}

/** @param stop ends what the source waits for when files cannot be written */
async function* withFiles(
  batches: AsyncGenerator<FetchOutcome[], void, undefined>,
  writeFiles: (mails: readonly MailToArchive[]) => Promise<FiledBatch>,
  stop: () => void,
): AsyncGenerator<Settling, void, undefined> {
  for await (const outcomes of batches) {
    const mails = outcomes.flatMap((outcome) => (outcome.kind === 'mail' ? [outcome.mail] : []));
    try {
      yield { outcomes, filed: mails.length === 0 ? null : await writeFiles(mails) };
    } catch (error) {
      stop();
      throw error;
    }
  }
}

interface Fetches {
  readonly accountId: string;
  readonly provider: MailboxProvider;
  readonly held: HeldMessages;
  readonly signal: AbortSignal;
}

type LaterOutcome = Extract<FetchOutcome, { kind: 'later' }>;

const sizeOf = (outcome: FetchOutcome): number => (outcome.kind === 'mail' ? outcome.mail.raw.length : 0);
