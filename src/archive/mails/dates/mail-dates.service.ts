import { Injectable, Logger } from '@nestjs/common';
import { BackgroundPace, waitForBackgroundTurn } from '../../../platform/concurrency/background-pace';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently';
import { Transactions } from '../../../platform/database/transactions';
import { type MessageDates, readMessageDates } from '../../../platform/mime/message-dates';
import {
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
  ObjectMissing,
} from '../../files/archive-store.errors';
import { type ArchiveStore, ArchiveStores } from '../../files/archive-store.port';
import { ArchiveLock } from '../writing/archive-lock';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import { datesOfEarlierMail } from './dates-of-earlier-mail';
import { type FoundDates, MailDatesRepository, type UndatedMail } from './mail-dates.repository';

/** Time after which a step ends, in milliseconds; the next step does the rest. */
const STEP_MS = 20_000;
/** Mails whose dates are recorded in one transaction, for which other writers of the account wait. */
const BATCH = 200;
const FILES_AT_A_TIME = 8;
/** Bytes of a file that are read first, and at most: nearly every header ends within the first. */
const FIRST_BYTES = 32 * 1024;
const MOST_BYTES = 1024 * 1024;

/** Stores as a step has found them. */
interface KnownStores {
  /** Stores that cannot be reached. */
  readonly unavailable: Set<string>;
  /** Stores that had a file. */
  readonly proved: Set<string>;
}

/** State of the mails of an account after a step. */
export type DatingProgress = 'done' | 'more' | 'left-over';

/**
 * Reads the dates of mails that earlier versions archived with one date: their headers are read from their files, which stay as
 * they are. The rows say what is left, so that it can be interrupted at any point. See ADR 107.
 */
@Injectable()
export class MailDatesService {
  private readonly logger = new Logger(MailDatesService.name);

  constructor(
    private readonly mails: MailDatesRepository,
    private readonly stores: ArchiveStores,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
    private readonly pace: BackgroundPace,
  ) {}

  /** Dates mails of an account for some seconds. Mails whose files cannot be read at the moment are left over for later. */
  dateSome(owner: ArchiveOwner, signal: AbortSignal): Promise<DatingProgress> {
    return this.pace.run(() => this.dateBatches(owner, signal));
  }

  private async dateBatches(owner: ArchiveOwner, signal: AbortSignal): Promise<DatingProgress> {
    const until = Date.now() + STEP_MS;
    const stores: KnownStores = { unavailable: new Set(), proved: new Set() };
    let after: string | null = null;
    let dated = 0;
    let left = 0;
    let problem: unknown = null;
    try {
      do {
        signal.throwIfAborted();
        await waitForBackgroundTurn();
        const batch = await this.mails.findUndated(owner.accountId, after, [...stores.unavailable], BATCH);
        after = batch.at(-1)?.id ?? null;
        if (after === null) return left > 0 ? 'left-over' : 'done';
        const found = await this.readAll(owner, batch, stores, signal, (error) => {
          problem ??= error;
        });
        left += batch.length - found.length;
        dated += await this.record(owner, found);
      } while (Date.now() < until);
      return 'more';
    } finally {
      if (dated > 0)
        this.logger.log(`Read the dates of ${dated} archived mails of account ${owner.accountId}`);
      if (left > 0)
        this.logger.warn(`The dates of ${left} archived mails are read later: ${String(problem)}`);
    }
  }

  /**
   * Reads the headers of mails. A missing file counts as lost only in a store that had another one in this step: the disk of the
   * archive may not be there at all.
   * @param onProblem called for each mail whose file cannot be read at the moment
   */
  private async readAll(
    owner: ArchiveOwner,
    batch: readonly UndatedMail[],
    { unavailable, proved }: KnownStores,
    signal: AbortSignal,
    onProblem: (error: unknown) => void,
  ): Promise<FoundDates[]> {
    const found: FoundDates[] = [];
    const missing: UndatedMail[] = [];
    await forEachConcurrently(batch, FILES_AT_A_TIME, async (mail) => {
      if (unavailable.has(mail.storage)) return;
      try {
        const header = mail.isEncrypted ? null : await this.readHeader(owner, mail, signal);
        found.push(datesOfEarlierMail(mail, header));
        if (header) proved.add(mail.storage);
      } catch (error) {
        // One file must not keep the others from being read.
        signal.throwIfAborted();
        if (error instanceof ObjectMissing) missing.push(mail);
        else if (isOfStore(error)) unavailable.add(mail.storage);
        onProblem(error);
      }
    });
    // The integrity check reports them.
    const lost = missing.filter(({ storage }) => proved.has(storage));
    return [...found, ...lost.map((mail) => datesOfEarlierMail(mail, null))];
  }

  /** Reads the dates from a file. @throws ObjectMissing; the errors of the store */
  private async readHeader(
    { userId }: ArchiveOwner,
    mail: UndatedMail,
    signal: AbortSignal,
  ): Promise<MessageDates | null> {
    const store = await this.stores.find(mail.storage, userId);
    const head = await readStart(store, mail, FIRST_BYTES, signal);
    const dates = readMessageDates(head, mail.sizeBytes);
    if (dates) return dates;
    const more = await readStart(store, mail, MOST_BYTES, signal);
    return readMessageDates(more, more.length);
  }

  /** @returns number of mails */
  private async record(owner: ArchiveOwner, found: readonly FoundDates[]): Promise<number> {
    if (found.length === 0) return 0;
    return this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) return 0;
      return this.mails.record(owner.accountId, found, transaction);
    });
  }
}

/** Reads the first bytes of a file, at most as many as its row says. */
async function readStart(
  store: ArchiveStore,
  { storageKey, sizeBytes }: UndatedMail,
  most: number,
  signal: AbortSignal,
): Promise<Buffer> {
  if (sizeBytes === 0) return Buffer.alloc(0);
  const range = { start: 0, end: Math.min(sizeBytes, most) - 1 };
  const chunks: Buffer[] = [];
  for await (const chunk of await store.get(storageKey, range, { signal })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const isOfStore = (error: unknown): boolean =>
  error instanceof ArchiveStoreUnavailable ||
  error instanceof ArchiveStoreRefused ||
  error instanceof ArchiveStoreUnknown;
