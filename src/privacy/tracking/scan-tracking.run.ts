import type { LocatedMail } from '../../archive/mails/mail-content-reader';
import { MailboxAccountGone } from '../../archive/mails/archive.errors';
import type { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import type { MemoryReservation } from '../../archive/mails/archiving/message-budget';
import { streamRawMessages } from '../../archive/mails/archiving/raw-message-stream';
import type { Transactions } from '../../platform/database/transactions';
import type { JobContext } from '../../platform/jobs/job-definition';
import type { MessageIndexService } from '../../mailbox/index/message-index.service';
import type { SampledMessage } from '../../mailbox/index/indexed-messages';
import type { MessageIndexReader } from '../../mailbox/index/message-index-reader';
import { retryWhileRateLimited, type UnfetchedMessage } from '../../providers/port/fetch-raw';
import type { MailboxProvider, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { RULES_VERSION } from './detection/tracker';
import type { ScanResult, TrackingScansRepository } from './tracking-scans.repository';
import type { MessageBodies, MessageBody } from './message-bodies';
import type { TrackerReader } from './tracker-reader';

/** Reads under way at a time; the gateway decides how many of them are calls in flight. */
const CONCURRENT_READS = 32;
/** Most messages of a batch. */
const BATCH = 100;
/** Consecutive failed messages after which the provider counts as down. */
const OUTAGE = 50;
const CHUNK = 500;
const PAGE = 1_000;

/** The checkpoint of a scan. The table tells which messages are done: those scanned before a crash are not scanned again. */
interface Checkpoint {
  /** Database instant of the first attempt: rows written since then are the job's own work. */
  readonly startedAt: string;
  /** Messages whose findings are up to date. */
  done: number;
  unchanged: number;
  fromArchive: number;
  fetched: number;
  removed: number;
  readonly failed: string[];
}

export interface TrackingScanResult {
  readonly [count: string]: unknown;
  /** Messages whose findings are up to date. */
  readonly scanned: number;
  /** Number of these messages with trackers. */
  readonly tracked: number;
  readonly trackers: number;
  /** Messages an earlier scan had read under the same rules. */
  readonly unchanged: number;
  /** Messages read from the archive. */
  readonly fromArchive: number;
  /** Messages read from the provider. */
  readonly fetched: number;
  /** Findings deleted because the message is no longer in the mailbox. */
  readonly removed: number;
  readonly failed: number;
}

export interface ScanTrackingServices {
  readonly provider: MailboxProvider;
  /** The memory of the run's messages. */
  readonly held: MemoryReservation;
  readonly bodies: MessageBodies;
  readonly reader: TrackerReader;
  readonly scans: TrackingScansRepository;
  readonly archiveLock: ArchiveLock;
  readonly index: MessageIndexService;
  readonly mailbox: MessageIndexReader;
  readonly transactions: Transactions;
}

type Outcome = MessageBody | UnfetchedMessage;
type Later = Extract<Outcome, { kind: 'later' }>;

/**
 * Scans the newest messages of a mailbox for trackers: reading, scanning and writing overlap, batch after batch. A message is
 * read once for a version of the rules, also when the job fails.
 */
export class ScanTrackingRun {
  private readonly accountId: string;
  private state: Checkpoint;

  /** @param newest number of messages to scan */
  constructor(
    private readonly account: ProviderAccount,
    private readonly newest: number,
    private readonly job: JobContext,
    private readonly services: ScanTrackingServices,
  ) {
    this.accountId = account.id;
  }

  /** Scans the mailbox from the job's checkpoint on. */
  async run(): Promise<TrackingScanResult> {
    const { account, newest, job } = this;
    const { mailbox, scans } = this.services;
    const counts = { done: 0, unchanged: 0, fromArchive: 0, fetched: 0, removed: 0 };
    this.state = job.savedCheckpoint<Checkpoint>() ?? {
      startedAt: await scans.readClock(),
      ...counts,
      failed: [],
    };
    await this.checkpoint();
    const ready = { newest, priority: 'background', signal: job.signal } as const;
    await retryWhileRateLimited(() => mailbox.prepare(account, ready), job.signal);
    await this.deleteFindings(await this.findGone());
    return this.scan(await mailbox.listNewest(account, newest));
  }

  /** Ids of scanned messages that are no longer in the mailbox; the index no longer has them either. */
  private async findGone(): Promise<string[]> {
    const { scans, index } = this.services;
    const gone: string[] = [];
    for (let after = ''; ;) {
      const ids = await scans.findMessageIds(this.accountId, after, PAGE);
      const indexed = await index.findSizes(this.accountId, ids);
      gone.push(...ids.filter((id) => !indexed.has(id)));
      if (ids.length < PAGE) return gone;
      after = ids[ids.length - 1] as string;
    }
  }

  /** Deletes findings of messages that no longer exist. */
  private async deleteFindings(messageIds: readonly string[]): Promise<void> {
    for (let at = 0; at < messageIds.length; at += CHUNK) {
      this.state.removed += await this.services.scans.delete(
        this.accountId,
        messageIds.slice(at, at + CHUNK),
      );
    }
  }

  /** @param messages newest first */
  private async scan(messages: readonly SampledMessage[]): Promise<TrackingScanResult> {
    const { todo, unchanged } = await this.plan(messages);
    this.job.setTotal(this.state.done + this.state.failed.length + unchanged.length + todo.length);
    await this.confirm(unchanged);
    const ids = todo.map(({ id }) => id);
    const located = await this.services.bodies.locate(this.accountId, ids);
    const postponed = await this.scanOnce(todo, located);
    const unavailable = await this.scanOnce(selectMessages(todo, postponed), located);
    // If no message at all could be read, there is an outage to report, not a list of failures.
    if (unavailable[0] && this.state.done === 0) throw unavailable[0].error;
    for (const { messageId, error } of unavailable) this.fail(messageId, error.code);
    await this.checkpoint();
    return this.buildResult();
  }

  /** Messages left to scan; those that an earlier attempt scanned after its last checkpoint are counted here. */
  private async plan(
    messages: readonly SampledMessage[],
  ): Promise<{ todo: SampledMessage[]; unchanged: string[] }> {
    const { scans } = this.services;
    const failed = new Set(this.state.failed);
    const todo: SampledMessage[] = [];
    const unchanged: string[] = [];
    let done = 0;
    for (let at = 0; at < messages.length; at += CHUNK) {
      const chunk = messages.slice(at, at + CHUNK);
      const ids = chunk.map(({ id }) => id);
      const known = new Map(
        (await scans.findKnown(this.accountId, ids, this.state.startedAt)).map((scan) => [
          scan.messageId,
          scan,
        ]),
      );
      for (const message of chunk) {
        const scan = known.get(message.id);
        if (scan?.rulesVersion !== RULES_VERSION) {
          if (!failed.has(message.id)) todo.push(message);
        } else if (scan.isRecent) done += 1;
        else unchanged.push(message.id);
      }
    }
    if (done > this.state.done) this.countDone(done - this.state.done);
    return { todo, unchanged };
  }

  private async confirm(messageIds: readonly string[]): Promise<void> {
    for (let at = 0; at < messageIds.length; at += CHUNK) {
      const chunk = messageIds.slice(at, at + CHUNK);
      await this.services.scans.confirm(this.accountId, chunk);
      this.state.unchanged += chunk.length;
      this.countDone(chunk.length);
      await this.checkpoint();
    }
  }

  /** Scans messages once each. @returns those for which the provider was unavailable */
  private async scanOnce(
    messages: readonly SampledMessage[],
    located: ReadonlyMap<string, LocatedMail>,
  ): Promise<Later[]> {
    const byId = new Map(messages.map((message) => [message.id, message]));
    const later: Later[] = [];
    for await (const batch of this.read(messages, located)) {
      later.push(...batch.filter((outcome) => outcome.kind === 'later'));
      await this.recordOutcomes(batch, byId).catch((error: unknown) => {
        // Reads that wait for room would wait for messages that are not processed any more.
        this.services.held.close();
        throw error;
      });
    }
    return later;
  }

  private read(
    messages: readonly SampledMessage[],
    located: ReadonlyMap<string, LocatedMail>,
  ): AsyncGenerator<Outcome[], void, undefined> {
    const { provider, held, bodies } = this.services;
    const { signal } = this.job;
    const read = async ({ id, sizeEstimate }: SampledMessage): Promise<Outcome> => {
      const mail = located.get(id);
      const expectedBytes = mail?.sizeBytes ?? sizeEstimate;
      await held.reserve(id, expectedBytes);
      const outcome = await bodies.read(provider, id, mail, { signal, expectedBytes });
      if (outcome.kind === 'body') held.recordFetched(id, outcome.bytes.length);
      else held.release(id);
      return outcome;
    };
    return streamRawMessages(messages, read, {
      concurrency: CONCURRENT_READS,
      outage: OUTAGE,
      batchCount: BATCH,
      sizeOf,
    });
  }

  private async recordOutcomes(
    batch: readonly Outcome[],
    messages: ReadonlyMap<string, SampledMessage>,
  ): Promise<void> {
    const { held, reader } = this.services;
    const bodies = batch.filter((outcome) => outcome.kind === 'body');
    const found = await reader.read(bodies.map(({ bytes }) => bytes));
    const results: ScanResult[] = [];
    for (const [at, { messageId }] of bodies.entries()) {
      held.release(messageId);
      const trackers = found[at] ?? null;
      if (trackers === null) this.fail(messageId, 'message-unreadable');
      else results.push({ message: messages.get(messageId) as SampledMessage, trackers });
    }
    if (results.length > 0) await this.save(results);
    this.state.fromArchive += bodies.filter(({ source }) => source === 'archive').length;
    this.state.fetched += bodies.filter(({ source }) => source === 'provider').length;
    this.countDone(results.length);
    for (const outcome of batch) {
      if (outcome.kind === 'failed') this.fail(outcome.messageId, outcome.reason);
    }
    await this.checkpoint();
  }

  /** Writes findings under the lock of the archive, so that no mail is archived or encrypted between the check and the write. */
  private async save(results: readonly ScanResult[]): Promise<void> {
    const { archiveLock, index, scans, transactions } = this.services;
    const { accountId } = this;
    const ids = results.map(({ message }) => message.id);
    await transactions.run(async (transaction) => {
      if (!(await archiveLock.acquire({ userId: this.job.userId, accountId }, transaction)))
        throw new MailboxAccountGone();
      const encrypted = await index.findEncrypted(accountId, ids, transaction);
      await scans.save(accountId, results, { rulesVersion: RULES_VERSION, encrypted }, transaction);
    });
  }

  private countDone(messages: number): void {
    this.state.done += messages;
    this.job.progress({ processed: messages });
  }

  private fail(messageId: string, reason: string): void {
    this.state.failed.push(messageId);
    this.job.fail(messageId, reason);
  }

  private async checkpoint(): Promise<void> {
    this.job.report(await this.buildResult());
    await this.job.checkpoint(this.state);
  }

  private async buildResult(): Promise<TrackingScanResult> {
    const { startedAt, done, failed, unchanged, fromArchive, fetched, removed } = this.state;
    const { messages: tracked, trackers } = await this.services.scans.countTotals(this.accountId, startedAt);
    const counts = { unchanged, fromArchive, fetched, removed, failed: failed.length };
    return { scanned: done, tracked, trackers, ...counts };
  }
}

function selectMessages(messages: readonly SampledMessage[], outcomes: readonly Later[]): SampledMessage[] {
  const ids = new Set(outcomes.map(({ messageId }) => messageId));
  return messages.filter(({ id }) => ids.has(id));
}

const sizeOf = (outcome: Outcome): number => (outcome.kind === 'body' ? outcome.bytes.length : 0);
