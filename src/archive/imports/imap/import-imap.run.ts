import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { MemoryReservation } from '../../mails/archiving/message-budget';
import type { ArchiveOwner } from '../../mails/writing/mail-to-archive';
import { type Arrivals, Arrived } from '../../../platform/arrivals/arrivals';
import type { JobContext } from '../../../platform/jobs/job-definition';
import {
  type ImportBatchResult,
  type ImportedMessage,
  ImportQuotaExceeded,
  type ImportWriter,
} from '../import-writer';
import { ImapBatch, imapBatches, MAX_MESSAGE, SMALL } from './imap-batches';
import { ImapMessage, ImportedFolder, MessageGone } from './imported-folder';
import { ImapServerFailure } from '../../../providers/imap/one-time/imap-server-failure';
import type { OneTimeLimits } from '../../../providers/imap/one-time/one-time-limits';
import type { OneTimeSessions } from '../../../providers/imap/one-time/one-time-sessions';
import { imapLabels } from './imap-labels';
import { type ImapImportResult, ImapPosition, type SavedPosition } from './imap-position';
import { ImapRetries } from './imap-retries';
import { endsWithItsBoundary } from '../../../providers/imap/writes/imap-message-check';
import type { ImportImapPayload } from '../dto/imports.dto';
import { prefetch } from '../../../platform/concurrency/prefetch';
import type { UidSet } from '../../../providers/imap/session/uid-set';
import { delay as sleep } from '../../../platform/concurrency/timers';

export interface ImportImapServices {
  readonly writer: ImportWriter;
  readonly sessions: OneTimeSessions;
  readonly arrivals: Arrivals;
  readonly limits: OneTimeLimits;
}

/**
 * Copies a folder of an IMAP server into the archive, in the order of its UIDs, batch after batch. With `maxMessages`
 * it copies that many of the newest, as of the start; another import takes mail that arrives meanwhile.
 */
export class ImportImapRun {
  private readonly position: ImapPosition;
  private readonly retries = new ImapRetries();

  /** @param pass the password of the user at the server */
  constructor(
    private readonly owner: ArchiveOwner,
    private readonly payload: ImportImapPayload,
    private readonly pass: string,
    private readonly job: JobContext,
    private readonly services: ImportImapServices,
  ) {
    this.position = new ImapPosition(job.savedCheckpoint<SavedPosition>());
  }

  /**
   * Imports the folder from the job's checkpoint on, and continues after lost connections.
   * @throws ImapServerFailure, EgressRefused, ImportQuotaExceeded
   */
  async run(): Promise<ImapImportResult> {
    const { job, position, retries } = this;
    // Each message that is parsed adds a listener.
    setMaxListeners(0, job.signal);
    for (;;) {
      try {
        const folder = await this.connect();
        try {
          await this.read(folder);
          await folder.leave();
          return position.result;
        } finally {
          folder.close();
        }
      } catch (error) {
        job.throwIfCancelled();
        // The first connection is not retried: the user waits for the report of wrong settings.
        if (!(error instanceof ImapServerFailure) || !position.begun) throw error;
        const { skip, pauseMs } = retries.decideAfter(error, position.done);
        job.logger.warn(`Reconnecting: ${error.code}`);
        if (skip !== null) {
          this.fail(skip, error.code === 'imap-too-slow' ? SLOW : UNREADABLE);
          position.lastUid = skip;
          await job.checkpoint(position.toSaved());
        }
        await sleep(pauseMs, undefined, { signal: job.signal }).catch(() => job.throwIfCancelled());
      }
    }
  }

  private async connect(): Promise<ImportedFolder> {
    const { host, port, secure, user, folder } = this.payload;
    const { sessions, limits } = this.services;
    const { pass } = this;
    const server = { host, port: port ?? 993, secure: secure ?? true, user, pass };
    const session = await sessions.open(server, this.owner.userId, this.job.signal);
    return ImportedFolder.open(session, folder ?? 'INBOX', limits);
  }

  private async read(folder: ImportedFolder): Promise<void> {
    const { job, position } = this;
    const left = await this.select(folder);
    job.setTotal(position.done + left.size);
    position.archivedBefore ??= await this.services.writer.readClock();
    await job.checkpoint(position.toSaved());
    const unwanted = new AbortController();
    const signal = AbortSignal.any([job.signal, unwanted.signal]);
    setMaxListeners(0, signal);
    const stop = (): void => {
      unwanted.abort();
      folder.close();
    };
    const source = this.downloadBatches(folder, left, signal);
    for await (const downloaded of prefetch(source, stop, ({ room }) => room.close())) {
      try {
        job.throwIfCancelled();
        await this.importBatch(downloaded);
      } finally {
        downloaded.room.close();
      }
    }
  }

  private async *downloadBatches(
    folder: ImportedFolder,
    left: UidSet,
    signal: AbortSignal,
  ): AsyncGenerator<Downloaded, void, undefined> {
    const { retries } = this;
    for (const uids of retries.pages(left)) {
      retries.begin(uids);
      const described = await folder.describe(uids);
      retries.begin([]);
      for (const batch of imapBatches(uids, described)) {
        retries.begin(batch.uids);
        const sources = await this.receiveSources(folder, batch.messages, signal);
        let downloaded: Downloaded;
        try {
          const cut = await this.rereadShortened(folder, batch.messages, sources);
          retries.succeed();
          downloaded = await this.readIntoMemory(folder, batch, sources, cut, signal);
        } finally {
          await closeAll(sources);
        }
        yield downloaded;
      }
    }
  }

  /** UIDs left to import. With another UIDVALIDITY these are all UIDs: the writer recognises mail that is archived. */
  private async select(folder: ImportedFolder): Promise<UidSet> {
    const { position } = this;
    if (position.uidValidity !== folder.uidValidity) {
      const selected = (await folder.listUids(1)).largest(this.payload.maxMessages ?? Infinity);
      position.begin(folder.uidValidity, selected);
      return selected;
    }
    return (await folder.listUids(position.lastUid + 1)).restrictTo(position.lastUid + 1, position.endUid);
  }

  private async importBatch({ messages, missed, lastUid, room }: Downloaded): Promise<void> {
    const { owner, position, job } = this;
    const { writer } = this.services;
    let result: ImportBatchResult;
    try {
      result = await writer.importBatch(owner, messages, job, { ...position.batchOptions, room });
    } catch (error) {
      if (!(error instanceof ImportQuotaExceeded)) throw error;
      position.add(error.batch);
      job.progress({ processed: error.batch.imported + error.batch.duplicates });
      await job.checkpoint(position.toSaved());
      throw error;
    }
    position.add(result);
    for (const { uid, ...why } of missed) this.fail(uid, why);
    position.lastUid = lastUid;
    position.archivedBefore = await writer.readClock();
    job.progress({ processed: result.imported + result.duplicates });
    await job.checkpoint(position.toSaved());
  }

  /** Reads a batch into memory, which is reserved only now, when it has arrived: a slow or lying server takes none. */
  private async readIntoMemory(
    folder: ImportedFolder,
    batch: ImapBatch,
    sources: Sources,
    cut: ReadonlyMap<number, ReadAgain | null>,
    signal: AbortSignal,
  ): Promise<Downloaded> {
    let room: MemoryReservation | undefined;
    try {
      const bytes = [...sources.values()].reduce((sum, { length }) => sum + length, 0);
      room = await this.services.writer.reserve(this.owner.userId, bytes, signal);
      const described = new Map(batch.messages.map((message) => [message.uid, message]));
      const messages: ImportedMessage[] = [];
      const missed: Missed[] = [];
      for (const uid of batch.uids) {
        const message = described.get(uid);
        const source = sources.get(uid);
        if (message && (message.size > MAX_MESSAGE || (source && source.length > MAX_MESSAGE)))
          missed.push({ uid, ...TOO_LARGE });
        else if (message && source) {
          const raw = source instanceof Arrived ? await source.read() : source;
          const again = cut.get(uid);
          if (again === null) missed.push({ uid, ...GONE });
          else if (again && !isWhole(raw, again)) missed.push({ uid, ...INCOMPLETE });
          else messages.push(importedMessage(message, raw, folder));
        } else missed.push({ uid, ...GONE });
      }
      return { messages, missed, lastUid: batch.uids.at(-1) as number, room };
    } catch (error) {
      room?.close();
      throw error;
    }
  }

  /**
   * Receives a batch: small messages, which are few enough, in memory, large ones on disk. There are never two of these: one
   * would wait for the room that the other has.
   * @throws ImapServerFailure when several are larger than the server has stated: read alone they are harmless
   */
  private async receiveSources(
    folder: ImportedFolder,
    messages: readonly ImapMessage[],
    signal: AbortSignal,
  ): Promise<Sources> {
    const sources: Sources = new Map();
    const [first] = messages;
    if (first && first.size > MAX_MESSAGE) return sources;
    const small = first && first.size > SMALL ? [] : messages;
    const found = await folder.readSmall(small);
    if ([...found.values()].filter((source) => source === 'larger').length > 1)
      throw new ImapServerFailure('imap-protocol-error', 'The server says that large messages are small.');
    try {
      for (const message of messages) {
        const source = found.get(message.uid);
        if (source instanceof Buffer) sources.set(message.uid, source);
        else if (source === 'larger' || small.length === 0) {
          const arrived = await this.receiveLarge(folder, message, signal);
          if (arrived) sources.set(message.uid, arrived);
        }
      }
      return sources;
    } catch (error) {
      await closeAll(sources);
      throw error;
    }
  }

  /**
   * Reads the messages again that are shorter than the server has stated: a server or a proxy may have broken off in them.
   * @returns results of the second reading by UID; null for a message that is gone
   */
  private async rereadShortened(
    folder: ImportedFolder,
    messages: readonly ImapMessage[],
    sources: Sources,
  ): Promise<Map<number, ReadAgain | null>> {
    const { statedSizes } = folder;
    const again = new Map<number, ReadAgain | null>();
    const arrived = messages.flatMap((message) => {
      const source = sources.get(message.uid);
      return source ? [{ message, length: source.length }] : [];
    });
    for (const { message, length } of arrived) statedSizes.compare(length, message.size);
    if (statedSizes.areEstimates) return again;
    for (const { message, length } of arrived)
      if (length < message.size) again.set(message.uid, await this.readAgain(folder, message));
    return again;
  }

  private async readAgain(folder: ImportedFolder, message: ImapMessage): Promise<ReadAgain | null> {
    const hash = createHash('sha256');
    try {
      for await (const piece of folder.readPieces(message, MAX_MESSAGE)) hash.update(piece);
    } catch (error) {
      if (error instanceof MessageGone) return null;
      throw error;
    }
    const [now] = await folder.describe([message.uid]);
    return now ? { sha256: hash.digest('hex'), size: now.size } : null;
  }

  /** Receives a large message on disk. @returns null when it is gone */
  private async receiveLarge(
    folder: ImportedFolder,
    message: ImapMessage,
    signal: AbortSignal,
  ): Promise<Arrived | null> {
    try {
      const pieces = folder.readPieces(message, MAX_MESSAGE);
      return await this.services.arrivals.receive(this.owner.userId, message.size, pieces, signal);
    } catch (error) {
      if (error instanceof MessageGone) return null;
      throw error;
    }
  }

  private fail(uid: number, { code, reason }: Why): void {
    this.position.failed += 1;
    this.job.fail(`UID ${uid}`, code, reason);
  }
}

/** Messages by UID: small ones in memory, large ones on disk. */
type Sources = Map<number, Buffer | Arrived>;

async function closeAll(sources: Sources): Promise<void> {
  for (const source of sources.values()) if (source instanceof Arrived) await source.close();
}

/** Reason why a message was not imported. */
interface Why {
  readonly code: string;
  readonly reason: string;
}

interface Missed extends Why {
  readonly uid: number;
}

/** A batch that has arrived from the server. */
interface Downloaded {
  readonly messages: readonly ImportedMessage[];
  readonly missed: readonly Missed[];
  /** Last UID that the batch covers. */
  readonly lastUid: number;
  /** Memory reserved for the batch. */
  readonly room: MemoryReservation;
}

/** A message that was read a second time. */
interface ReadAgain {
  readonly sha256: string;
  /** Size that the server states now: some servers change a message, and its size, when its flags change. */
  readonly size: number;
}

/** Whether a message is whole although it is shorter than stated; archiving has the same rule (ADR 84). */
const isWhole = (raw: Buffer, { sha256, size }: ReadAgain): boolean =>
  createHash('sha256').update(raw).digest('hex') === sha256 &&
  (raw.length === size || endsWithItsBoundary(raw));

const INCOMPLETE: Why = {
  code: 'message-incomplete',
  reason: 'the server hands out less of it than it announces',
};
const TOO_LARGE: Why = { code: 'import-message-too-large', reason: 'larger than 150 MiB' };
const GONE: Why = { code: 'message-not-found', reason: 'no longer on the server' };
const UNREADABLE: Why = { code: 'message-not-handed-out', reason: 'the server fails to hand it out' };
const SLOW: Why = { code: 'imap-too-slow', reason: 'the server sends less than 16 kB of it a second' };

const importedMessage = (message: ImapMessage, raw: Buffer, folder: ImportedFolder): ImportedMessage => ({
  raw,
  name: `UID ${message.uid}`,
  labelIds: imapLabels(message, folder.name),
  threadId: message.threadId,
  receivedAt: null,
  internalDate: message.receivedAt,
});
