import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import { abortable, linkedSignal } from '../../platform/concurrency/abortable';
import { AppConfig } from '../../platform/config/app-config';
import { Arrivals, type Arrived } from '../../platform/arrivals/arrivals';
import { type ImportBatchResult, ImportWriter } from '../imports/import-writer';
import type { ArchiveOwner } from '../mails/writing/mail-to-archive';
import { type CopiedMessage, readCopiedMessage, type SmtpFacts } from './copied-message';
import type { JournalAccount } from './journal-addresses.repository';
import { JournalBatches } from './journal-batches';
import { JournalFigures } from './journal-figures';
import type { JournalFormat } from './journal-format';
import { MessageRefused } from './refusal';
import type { UnwrappedReport } from './report/journal-report';
import { ReportReader } from './report/report-reader';

/** Larger messages go to disk while they arrive, so that connections hold little memory. */
const SMALL = 256 * 1024;
/** Longest time that a message may take to arrive. */
const ARRIVAL_MS = 30 * 60_000;
/** Longest time that a sender then waits for its answer; it would wait ten minutes (RFC 5321, 4.5.3.2.6). */
const ANSWER_MS = 120_000;

/** A message as it arrives. */
export interface ArrivingMessage extends SmtpFacts {
  readonly stream: Readable;
  /** Size that the sender states; null: it does not. */
  readonly statedBytes: number | null;
  /** Whether more has arrived than a message may have. */
  isTooLarge(): boolean;
}

/**
 * Takes messages that mail servers copy to accounts, and returns when they are durable in the archive of each. It keeps neither a
 * queue nor a spool: a message is archived, or its sender still has it. See ADR 114.
 */
@Injectable()
export class JournalIntake {
  private bytesInFlight = 0;

  constructor(
    private readonly config: AppConfig,
    private readonly batches: JournalBatches,
    private readonly reports: ReportReader,
    private readonly writer: ImportWriter,
    private readonly arrivals: Arrivals,
    private readonly figures: JournalFigures,
  ) {}

  /**
   * Receives a message and archives it for each of the accounts.
   * @param stopping aborts when the process ends
   * @throws MessageRefused; what archiving throws; the stream's error when the connection breaks off
   */
  async take(
    message: ArrivingMessage,
    owners: readonly JournalAccount[],
    stopping: AbortSignal,
  ): Promise<void> {
    const share = new BytesShare((bytes) => this.reserve(bytes));
    try {
      const arrived = await endWithin(ARRIVAL_MS, stopping, (signal) =>
        this.receive(message, owners[0]!, share, signal),
      );
      await endWithin(ANSWER_MS, stopping, (signal) =>
        Buffer.isBuffer(arrived)
          ? this.archiveSmall(arrived, message, owners, signal)
          : this.archiveLarge(arrived, message, owners, signal),
      );
    } finally {
      share.release();
    }
  }

  private reserve(bytes: number): void {
    const { maxBytesInFlight } = this.config.journal!;
    if (bytes > 0 && this.bytesInFlight + bytes > maxBytesInFlight) throw new MessageRefused('busy');
    this.bytesInFlight += bytes;
  }

  /**
   * Receives a message. Of one that is refused the rest is read all the same, since the answer follows its end.
   * @returns the bytes of a small message; a larger one lies on disk
   */
  private async receive(
    { stream, statedBytes, isTooLarge }: ArrivingMessage,
    { userId }: ArchiveOwner,
    share: BytesShare,
    signal: AbortSignal,
  ): Promise<Buffer | Arrived> {
    const source = chunksOf(stream);
    const chunks: Buffer[] = [];
    let length = 0;
    const next = async (): Promise<Buffer | undefined> => {
      const { value } = await abortable(source.next(), signal);
      if (isTooLarge()) throw new MessageRefused('too-large');
      if (value) share.growTo((length += value.length));
      return value;
    };
    try {
      share.growTo(statedBytes ?? 0);
      for (;;) {
        const chunk = await next();
        if (!chunk) return Buffer.concat(chunks, length);
        chunks.push(chunk);
        if (length > SMALL) break;
      }
      const pieces = async function* (): AsyncGenerator<Buffer, void, undefined> {
        yield* chunks.splice(0);
        for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
      };
      return await this.arrivals.receive(userId, statedBytes ?? length, pieces(), signal);
    } catch (error) {
      // Only without a reader does the stream flow by itself. A chunk that is waited for comes first.
      void source.return(undefined).then(
        () => stream.resume(),
        () => undefined,
      );
      throw error;
    }
  }

  private async archiveSmall(
    raw: Buffer,
    facts: SmtpFacts,
    owners: readonly JournalAccount[],
    signal: AbortSignal,
  ): Promise<void> {
    const messages = new Map<JournalFormat, CopiedMessage>();
    for (const { format } of owners)
      if (!messages.has(format)) messages.set(format, await this.read(raw, facts, format));
    const ends = await Promise.allSettled(
      owners.map((owner) => this.batches.add(owner, messages.get(owner.format)!, signal)),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private read(raw: Buffer, facts: SmtpFacts, format: JournalFormat): Promise<CopiedMessage> {
    const unwrap = (report: Buffer): Promise<UnwrappedReport | null> => this.reports.unwrap(report);
    return readCopiedMessage(raw, facts, format === 'exchange-reports' ? unwrap : null);
  }

  /** Archives a message that lies on disk: it takes memory only when there is room, and then by itself. */
  private async archiveLarge(
    arrived: Arrived,
    facts: SmtpFacts,
    owners: readonly JournalAccount[],
    signal: AbortSignal,
  ): Promise<void> {
    const { userId } = owners[0]!;
    try {
      const room = await this.writer.reserve(userId, arrived.length, signal);
      try {
        const raw = await arrived.read();
        for (const format of new Set(owners.map((owner) => owner.format))) {
          const { imported } = await this.read(raw, facts, format);
          for (const owner of owners.filter((each) => each.format === format)) {
            const job = { userId: owner.userId, signal };
            const result: ImportBatchResult = await this.writer.importBatch(owner, [imported], job, { room });
            await this.figures.recordReceived(owner, result);
          }
        }
      } finally {
        room.close();
      }
    } finally {
      await arrived.close();
    }
  }
}

/** @throws MessageRefused when the work has not ended in time, or when the process ends; the work itself may go on */
async function endWithin<T>(
  ms: number,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const link = linkedSignal(stopping, ms, () => new MessageRefused('busy'));
  // Each message of a batch adds a listener.
  setMaxListeners(0, link.signal);
  try {
    return await abortable(work(link.signal), link.signal);
  } catch (error) {
    if (stopping.aborted) throw new MessageRefused('stopping', error);
    throw error;
  } finally {
    link.release();
  }
}

/** The bytes that one message counts for. */
class BytesShare {
  private held = 0;

  constructor(private readonly reserve: (bytes: number) => void) {}

  growTo(bytes: number): void {
    if (bytes <= this.held) return;
    this.reserve(bytes - this.held);
    this.held = bytes;
  }

  release(): void {
    this.reserve(-this.held);
    this.held = 0;
  }
}

/** The chunks of a stream, which stays open when it is not read to its end. */
const chunksOf = (stream: Readable): AsyncGenerator<Buffer, undefined, undefined> =>
  stream.iterator({ destroyOnReturn: false }) as unknown as AsyncGenerator<Buffer, undefined, undefined>;
