import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArchiveOwner } from '../../archive/writing/mail-to-archive';
import { EgressGuard, HostUnknown } from '../../common/egress/egress-guard';
import type { JobContext } from '../../common/jobs/job-context';
import {
  ImportedMessage,
  IntakeResult,
  MessageIntake,
  QuotaEndedIntake,
} from '../intake/message-intake.port';
import { ImapConnection, ImapMessage } from './imap-connection';
import { ImapFailure } from './imap.errors';
import { imapLabels } from './imap-labels';
import { ImapPosition, SavedPosition } from './imap-position';
import type { ImportImapPayload } from './import-imap.dto';
import type { UidSet } from './uid-set';

const MIB = 1024 * 1024;
/** Larger ones are skipped: no mail server takes them, and each is held in memory. */
const MAX_MESSAGE = 150 * MIB;
/** Larger ones are read piece by piece, each a batch of its own. */
const SMALL = 4 * MIB;
const BATCH = { maxCount: 200, maxBytes: 8 * MIB };
/** Messages asked about at a time. */
const PAGE = 1_000;
/** Connections lost in a row, with nothing imported in between, after which the job gives up. */
const MAX_LOSSES = 5;
const BACKOFF_MS = { first: 500, most: 15_000 };

export interface ImapImportResult {
  readonly [count: string]: unknown;
  readonly imported: number;
  readonly duplicates: number;
  readonly failed: number;
  /** Of the imported ones. */
  readonly bytes: number;
}

/**
 * Copies a folder of an IMAP server into the archive, in the order of its UIDs, batch after batch. With `maxMessages`
 * it is the newest ones, so many as there are at the start; what arrives meanwhile is left for another import.
 */
@Injectable()
export class ImapImporter {
  constructor(
    private readonly intake: MessageIntake,
    private readonly egress: EgressGuard,
  ) {}

  /**
   * Goes on from the job's checkpoint, and over lost connections.
   * @throws ImapFailure, EgressRefused, QuotaEndedIntake
   */
  async import(
    owner: ArchiveOwner,
    payload: ImportImapPayload,
    pass: string,
    job: JobContext,
  ): Promise<ImapImportResult> {
    // Every message that is parsed listens to it.
    setMaxListeners(0, job.signal);
    const position = new ImapPosition(job.savedCheckpoint<SavedPosition>());
    for (let losses = 0; ;) {
      const before = position.done;
      try {
        const connection = await this.connect(payload, pass, job.signal);
        try {
          await this.read(connection, owner, payload, position, job);
          await connection.leave();
          return position.result;
        } finally {
          connection.close();
        }
      } catch (error) {
        job.throwIfCancelled();
        // The first connection fails at once: somebody waits to hear what is wrong with the settings.
        if (!(error instanceof ImapFailure) || !error.mayPass || !position.begun) throw error;
        losses = position.done > before ? 1 : losses + 1;
        if (losses > MAX_LOSSES) throw error;
        job.logger.warn(`Connecting again: ${error.code}`);
        const pause = Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** (losses - 1));
        await sleep(pause, undefined, { signal: job.signal }).catch(() => job.throwIfCancelled());
      }
    }
  }

  private async connect(
    { host, port, secure, user, folder }: ImportImapPayload,
    pass: string,
    signal: AbortSignal,
  ): Promise<ImapConnection> {
    const address = await this.egress.resolve(host).catch((error: unknown) => {
      throw error instanceof HostUnknown ? new ImapFailure('imap-host-unreachable', error.detail) : error;
    });
    const lookup = this.egress.pinned(address);
    const server = { host, port: port ?? 993, secure: secure ?? true, user, pass, lookup };
    return ImapConnection.open(server, folder ?? 'INBOX', signal);
  }

  private async read(
    connection: ImapConnection,
    owner: ArchiveOwner,
    { maxMessages }: ImportImapPayload,
    position: ImapPosition,
    job: JobContext,
  ): Promise<void> {
    const left = await this.select(connection, maxMessages ?? Infinity, position);
    job.setTotal(position.done + left.size);
    position.archivedBefore ??= await this.intake.now();
    await job.checkpoint(position.saved());
    for (const uids of left.pages(PAGE)) {
      const described = await connection.describe(uids);
      const present = new Set(described.map(({ uid }) => uid));
      for (const uid of uids) if (!present.has(uid)) fail(job, position, uid, GONE);
      for (const batch of batchesOf(described)) {
        job.throwIfCancelled();
        await this.importBatch(connection, owner, batch, position, job);
      }
      // Missing messages after the last batch.
      position.lastUid = Math.max(position.lastUid, uids.at(-1) as number);
      await job.checkpoint(position.saved());
    }
  }

  /** What is left to import. With another UIDVALIDITY it is everything: what is archived is recognised by the intake. */
  private async select(
    connection: ImapConnection,
    maxMessages: number,
    position: ImapPosition,
  ): Promise<UidSet> {
    if (position.uidValidity !== connection.uidValidity) {
      const selected = (await connection.uids(1)).largest(maxMessages);
      position.begin(connection.uidValidity, selected);
      return selected;
    }
    return (await connection.uids(position.lastUid + 1)).between(position.lastUid + 1, position.endUid);
  }

  private async importBatch(
    connection: ImapConnection,
    owner: ArchiveOwner,
    batch: readonly ImapMessage[],
    position: ImapPosition,
    job: JobContext,
  ): Promise<void> {
    const { messages, missed } = await this.download(connection, batch);
    let taken: IntakeResult;
    try {
      taken = await this.intake.take(owner, messages, job, position.intakeOptions);
    } catch (error) {
      if (!(error instanceof QuotaEndedIntake)) throw error;
      position.add(error.taken);
      job.progress({ processed: error.taken.imported + error.taken.duplicates });
      await job.checkpoint(position.saved());
      throw error;
    }
    position.add(taken);
    // Not before: with a lost connection the batch is done again.
    for (const { uid, reason } of missed) fail(job, position, uid, reason);
    position.lastUid = Math.max(position.lastUid, (batch.at(-1) as ImapMessage).uid);
    position.archivedBefore = await this.intake.now();
    job.progress({ processed: taken.imported + taken.duplicates });
    await job.checkpoint(position.saved());
  }

  private async download(
    connection: ImapConnection,
    batch: readonly ImapMessage[],
  ): Promise<{ messages: ImportedMessage[]; missed: { uid: number; reason: string }[] }> {
    const sources = await this.sources(connection, batch);
    const messages: ImportedMessage[] = [];
    const missed: { uid: number; reason: string }[] = [];
    for (const message of batch) {
      const { uid } = message;
      const raw = sources.get(uid);
      if (message.size > MAX_MESSAGE || (raw && raw.length > MAX_MESSAGE))
        missed.push({ uid, reason: TOO_LARGE });
      else if (raw) messages.push(importedMessage(message, raw, connection));
      else missed.push({ uid, reason: GONE });
    }
    return { messages, missed };
  }

  private async sources(
    connection: ImapConnection,
    batch: readonly ImapMessage[],
  ): Promise<Map<number, Buffer>> {
    const [first] = batch;
    if (!first || first.size <= SMALL) return connection.small(batch.map(({ uid }) => uid));
    const source = first.size > MAX_MESSAGE ? null : await connection.large(first.uid, MAX_MESSAGE);
    return new Map(source ? [[first.uid, source]] : []);
  }
}

const TOO_LARGE = 'larger than 150 MiB';
const GONE = 'removed from the server while it was imported';

function fail(job: JobContext, position: ImapPosition, uid: number, reason: string): void {
  position.failed += 1;
  job.fail(`UID ${uid}`, reason);
}

const importedMessage = (message: ImapMessage, raw: Buffer, { folder }: ImapConnection): ImportedMessage => ({
  raw,
  name: `UID ${message.uid}`,
  labelIds: imapLabels(message, folder),
  threadId: message.threadId,
  receivedAt: message.receivedAt,
});

/** Large messages alone, small ones together. */
function* batchesOf(messages: readonly ImapMessage[]): Generator<ImapMessage[]> {
  let batch: ImapMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    const isFull = batch.length === BATCH.maxCount || bytes + message.size > BATCH.maxBytes;
    if (batch.length > 0 && (isFull || message.size > SMALL)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(message);
    bytes += message.size;
    if (message.size > SMALL) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}
