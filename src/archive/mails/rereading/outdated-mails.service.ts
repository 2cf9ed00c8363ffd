import { Injectable, Logger } from '@nestjs/common';
import { BackgroundPace, waitForBackgroundTurn } from '../../../platform/concurrency/background-pace';
import { Transactions } from '../../../platform/database/transactions';
import { ArchiveLock } from '../writing/archive-lock';
import { isDataRefused } from '../writing/archive-writer';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import { datesOfEarlierMail } from './dates-of-earlier-mail';
import { type OutdatedMail, OutdatedMailsRepository } from './outdated-mails.repository';
import {
  type BatchRead,
  OutdatedMailReader,
  type KnownStores,
  type RereadAccount,
} from './outdated-mail-reader';
import { RereadAttachmentsRepository } from './reread-attachments.repository';
import { countReread } from './reread-metrics';
import { type RereadMail, RereadMailsRepository, type UnreadMail } from './reread-mails.repository';

/** Time after which a step ends, in milliseconds; the next step does the rest. */
const STEP_MS = 20_000;
/** Limits of a batch, which is recorded in one transaction, for which other writers of the account wait. */
const BATCH_MAILS = 100;
const BATCH_BYTES = 16 * 1024 * 1024;

/** State of the mails of an account after a step. */
export type RereadingProgress = 'done' | 'more' | 'left-over';

/** Mails of a step. */
interface Counts {
  reread: number;
  unread: number;
  /** Mails whose store cannot be reached at the moment. */
  left: number;
  problem: unknown;
}

/**
 * Reads mails again that an earlier version of the reader has read: their files stay as they are, and their rows get what the
 * present version finds in them. The rows say what is left, so that it can be interrupted at any point. See ADR 116.
 */
@Injectable()
export class OutdatedMailsService {
  private readonly logger = new Logger(OutdatedMailsService.name);

  constructor(
    private readonly outdated: OutdatedMailsRepository,
    private readonly rows: RereadMailsRepository,
    private readonly attachments: RereadAttachmentsRepository,
    private readonly reader: OutdatedMailReader,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
    private readonly pace: BackgroundPace,
  ) {}

  /** Reads mails of an account for some seconds. Those whose store cannot be reached at the moment are left over for later. */
  rereadSome(account: RereadAccount, signal: AbortSignal): Promise<RereadingProgress> {
    return this.pace.run(() => this.rereadBatches(account, signal));
  }

  private async rereadBatches(account: RereadAccount, signal: AbortSignal): Promise<RereadingProgress> {
    const until = Date.now() + STEP_MS;
    const stores: KnownStores = { unavailable: new Set(), proved: new Set() };
    const counts: Counts = { reread: 0, unread: 0, left: 0, problem: null };
    let after: string | null = null;
    try {
      do {
        signal.throwIfAborted();
        await waitForBackgroundTurn();
        const found = await this.outdated.findNext(account.id, after, [...stores.unavailable], BATCH_MAILS);
        const batch = withinBytes(found);
        after = batch.at(-1)?.id ?? null;
        if (after === null) return counts.left > 0 ? 'left-over' : 'done';
        const read = await this.reader.readAll(account, batch, stores, signal);
        counts.left += read.left.length;
        counts.problem ??= read.problem;
        if (!(await this.record(account, read, counts))) return 'done';
      } while (Date.now() < until);
      return 'more';
    } finally {
      await this.report(account.id, counts);
    }
  }

  private async report(accountId: string, { reread, unread, left, problem }: Counts): Promise<void> {
    if (reread + unread > 0) {
      const remaining = await this.outdated.count(accountId);
      this.logger.log(
        `Read ${reread} archived mails of account ${accountId} again, ${unread} could not be read; ${remaining} are left`,
      );
    }
    if (left > 0) this.logger.warn(`${left} archived mails are read again later: ${String(problem)}`);
  }

  /**
   * Records a batch. When the database refuses its data, each mail is recorded on its own.
   * @returns false when the account is gone
   */
  private async record(account: RereadAccount, read: BatchRead, counts: Counts): Promise<boolean> {
    try {
      return await this.recordTogether(account, read, counts);
    } catch (error) {
      if (!isDataRefused(error)) throw error;
    }
    if (!(await this.recordTogether(account, { reread: [], unread: read.unread }, counts))) return false;
    for (const entry of read.reread) {
      const isThere = await this.recordTogether(account, { reread: [entry], unread: [] }, counts).catch(
        (error: unknown) => {
          if (!isDataRefused(error)) throw error;
          return this.recordTogether(account, { reread: [], unread: [refused(entry)] }, counts);
        },
      );
      if (!isThere) return false;
    }
    return true;
  }

  /** Mails whose file is another one by now are left for the next time: they were encrypted or moved meanwhile. */
  private async recordTogether(
    account: RereadAccount,
    read: Pick<BatchRead, 'reread' | 'unread'>,
    counts: Counts,
  ): Promise<boolean> {
    const owner: ArchiveOwner = { userId: account.userId, accountId: account.id };
    const recorded = await this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) return null;
      const mails = [...read.reread, ...read.unread].map(({ mail }) => mail);
      const envelopes = await this.outdated.findUnchanged(account.id, mails, transaction);
      const isUnchanged = ({ mail }: { readonly mail: OutdatedMail }): boolean => envelopes.has(mail.id);
      const reread = read.reread.filter(isUnchanged);
      const unread = read.unread.filter(isUnchanged);
      await this.rows.record(account.id, reread, envelopes, transaction);
      await this.attachments.record(account.id, reread, transaction);
      await this.rows.recordUnread(account.id, unread, transaction);
      return { reread: reread.length, unread: unread.filter(({ problem }) => problem !== null).length };
    });
    if (recorded === null) return false;
    counts.reread += recorded.reread;
    counts.unread += recorded.unread;
    countReread(recorded);
    return true;
  }
}

const refused = ({ mail }: RereadMail): UnreadMail => ({
  mail,
  dates: datesOfEarlierMail(mail, null),
  problem: 'refused',
});

function withinBytes(mails: readonly OutdatedMail[]): readonly OutdatedMail[] {
  let bytes = 0;
  const end = mails.findIndex(({ sizeBytes }) => (bytes += sizeBytes) >= BATCH_BYTES);
  return end < 0 ? mails : mails.slice(0, end + 1);
}
