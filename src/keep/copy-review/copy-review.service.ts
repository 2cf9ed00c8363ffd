import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { ObjectMissing } from '../../archive/files/archive-store.errors';
import { ArchiveStores } from '../../archive/files/archive-store.port';
import { type MemoryReservation, MessageBudget } from '../../archive/mails/archiving/message-budget';
import { RawMessageFetcher } from '../../archive/mails/archiving/raw-message-fetcher';
import { type StoredMail, StoredMails } from '../../archive/mails/stored-mails';
import { ArchiveWriter } from '../../archive/mails/writing/archive-writer';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { Transactions } from '../../platform/database/transactions';
import { IntegrityFindingsService } from '../integrity/integrity-findings.service';
import { ImapAnnouncedSizes } from '../../providers/imap/store/announced-sizes';
import { headerOf, isContentId, isHeaderKeyOf } from '../../providers/imap/writes/imap-message-check';
import {
  type MailboxProvider,
  MailboxProviders,
  type ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { CopyReviewsRepository, type CopyReviewState, type ReviewCounts } from './copy-reviews.repository';

/** Time after which a step ends, in milliseconds; the next step goes on from there. */
const STEP_MS = 20_000;
const BATCH = 200;
const FILES_AT_A_TIME = 8;
/** Largest header of a file that is checked, in bytes; a longer one counts as right. */
const HEADER_BYTES = 256 * 1024;
/** After this many messages in a row that cannot be read, the mailbox is asked whether it answers at all. */
const OUTAGE = 3;
/** After this many failed steps at one place of a mailbox that answers, its suspects are left as they are. */
const ATTEMPTS = 5;
/** Size of the pieces in which earlier versions read messages. It is fixed: a change of the reader does not change it. */
const EARLIER_PIECE_BYTES = 4 * 1024 * 1024;
/** Batch size after the last attempt, when each message may take as long as the time-out of a command. */
const SMALL_BATCH = 5;
/** Message ids that imports assign: no mailbox lists a size for them. */
const IS_IMPORTED = /^(<|sha256:|message-id:)/;

interface Refetched {
  /** Copies that are correct now. */
  readonly restored: number;
  /** Messages that the mailbox has and did not hand out. */
  readonly unavailable: number;
}

/**
 * Reviews mail that was archived by IMAP before its bytes were compared with their message. A copy is suspect when the
 * mailbox announces another size, when it ends where a reader that cut messages would have ended, or when its own header and
 * size do not make its id. Suspects count as different from the mailbox at once, so that they are neither deletable nor
 * offloaded; those that the mailbox still has are fetched anew. It has eleven dependencies because a review reads copies,
 * compares them with the server, records findings and fetches suspects again.
 */
@Injectable()
export class CopyReviewService {
  private readonly logger = new Logger(CopyReviewService.name);

  constructor(
    private readonly reviews: CopyReviewsRepository,
    private readonly mails: StoredMails,
    private readonly stores: ArchiveStores,
    private readonly announced: ImapAnnouncedSizes,
    private readonly providers: MailboxProviders,
    private readonly fetcher: RawMessageFetcher,
    private readonly budget: MessageBudget,
    private readonly writer: ArchiveWriter,
    private readonly findings: IntegrityFindingsService,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /** Whether nothing of the account is still to be reviewed. */
  async isFinished(accountId: string): Promise<boolean> {
    return (await this.reviews.find(accountId))?.isFinished ?? true;
  }

  /**
   * Goes on with the review of an account for some seconds.
   * @returns whether it is finished
   * @throws the errors of the provider that concern the whole account, and those of the archive store
   */
  async reviewSome(account: ProviderAccount, signal: AbortSignal): Promise<boolean> {
    const until = Date.now() + STEP_MS;
    for (;;) {
      signal.throwIfAborted();
      const state = await this.reviews.find(account.id);
      if (!state || state.isFinished) return true;
      const limit = state.attempts < ATTEMPTS ? BATCH : SMALL_BATCH;
      const batch = await this.mails.findNext(account.id, { after: state.position, limit });
      const last = batch.at(-1);
      if (!last) {
        await this.finish(account);
        return true;
      }
      const { unavailable, ...counts } = await this.review(account, batch, state, signal);
      // The next position starts with all its attempts when every message of this one was handed out.
      const attempts = unavailable > 0 ? state.attempts : 0;
      await this.reviews.advance(account.id, state, last.position, counts, attempts);
      if (Date.now() > until) return false;
    }
  }

  private async review(
    account: ProviderAccount,
    batch: readonly StoredMail[],
    state: CopyReviewState,
    signal: AbortSignal,
  ): Promise<ReviewCounts & Refetched> {
    const old = batch.filter(
      ({ messageId, archivedAt }) => archivedAt <= state.begunAt && !IS_IMPORTED.test(messageId),
    );
    const ids = old.map(({ messageId }) => messageId);
    const { sizes, isExact } = await this.announced.find(account.id, ids);
    const suspects: StoredMail[] = [];
    await forEachConcurrently(old, FILES_AT_A_TIME, async (mail) => {
      const size = sizes.get(mail.messageId);
      const isOtherSize = size !== undefined && size !== mail.sizeBytes;
      const mayBeCut = size !== mail.sizeBytes && isOfWholePieces(mail.sizeBytes);
      if ((isExact && isOtherSize) || mayBeCut || !(await this.hasOwnHeader(mail, signal)))
        suspects.push(mail);
    });
    if (suspects.length === 0) return { checked: old.length, suspects: 0, restored: 0, unavailable: 0 };
    await this.findings.record(
      ownerOf(account),
      suspects.map((mail) => ({ mail, problem: 'differs' })),
    );
    const fetchable = suspects.filter(({ messageId, isEncrypted }) => sizes.has(messageId) && !isEncrypted);
    const { restored, unavailable } = await this.restore(account, fetchable, state, signal);
    this.logger.warn(
      `${suspects.length} copies of account ${account.id} differ from the mailbox; repaired ${restored}`,
    );
    return { checked: old.length, suspects: suspects.length, restored, unavailable };
  }

  /** Whether header and size of a copy make its id. True when that cannot be checked without the passphrase. */
  private async hasOwnHeader(mail: StoredMail, signal: AbortSignal): Promise<boolean> {
    const { messageId, storage, storageKey, sizeBytes, isEncrypted } = mail;
    if (isEncrypted || !isContentId(messageId) || sizeBytes === 0) return true;
    const store = await this.stores.find(storage);
    const chunks: Buffer[] = [];
    try {
      const end = Math.min(sizeBytes, HEADER_BYTES) - 1;
      for await (const chunk of await store.get(storageKey, { start: 0, end }, { signal }))
        chunks.push(chunk as Buffer);
    } catch (error) {
      // The integrity check reports a missing file.
      if (error instanceof ObjectMissing) return true;
      throw error;
    }
    const bytes = Buffer.concat(chunks);
    if (headerOf(bytes) === null && sizeBytes > HEADER_BYTES) return true;
    return isHeaderKeyOf(bytes, messageId, sizeBytes);
  }

  /** Fetches messages anew. The file is written before its row, and the old file is deleted afterwards. */
  private async restore(
    account: ProviderAccount,
    suspects: readonly StoredMail[],
    state: CopyReviewState,
    signal: AbortSignal,
  ): Promise<Refetched> {
    if (suspects.length === 0) return { restored: 0, unavailable: 0 };
    const provider = this.providers.forAccount(account);
    const reservation = this.budget.open(account.userId, signal);
    let restored = 0;
    let unavailable = 0;
    let unavailableInARow = 0;
    try {
      for (const suspect of suspects) {
        signal.throwIfAborted();
        const outcome = await this.restoreOne(account, provider, suspect, reservation, signal);
        if (outcome === 'right') restored += 1;
        unavailableInARow = outcome instanceof Error ? unavailableInARow + 1 : 0;
        if (!(outcome instanceof Error)) continue;
        unavailable += 1;
        if (unavailableInARow % OUTAGE !== 0) continue;
        // It throws while the whole mailbox is unreachable: that says nothing about its messages.
        await provider.getProfile({ priority: 'background', signal });
        if (state.attempts >= ATTEMPTS) continue;
        await this.reviews.countAttempt(account.id, state);
        throw outcome;
      }
    } finally {
      reservation.close();
    }
    return { restored, unavailable };
  }

  private async restoreOne(
    account: ProviderAccount,
    provider: MailboxProvider,
    suspect: StoredMail,
    reservation: MemoryReservation,
    signal: AbortSignal,
  ): Promise<'right' | 'wrong' | Error> {
    const owner = ownerOf(account);
    const { messageId, sizeBytes } = suspect;
    const outcome = await this.fetcher.fetch(provider, messageId, {
      signal,
      expectedBytes: sizeBytes,
      reservation,
    });
    if (outcome.kind === 'later') return outcome.error;
    if (outcome.kind === 'failed') return 'wrong';
    try {
      if (outcome.mail.parsed.sha256 === suspect.sha256) {
        // The mailbox has returned the same bytes, whatever size it lists.
        await this.findings.withdraw(owner, [suspect]);
        return 'right';
      }
      const { archived } = await this.writer.write(owner, [outcome.mail], { replace: true, signal });
      return archived.length > 0 ? 'right' : 'wrong';
    } finally {
      reservation.release(messageId);
    }
  }

  /** Notifies the owner of the copies that stay suspect, and records the outcome in the audit trail. */
  private async finish(account: ProviderAccount): Promise<void> {
    const state = await this.reviews.find(account.id);
    if (!state) return;
    const { checked, suspects, restored } = state;
    const isFirst = await this.transactions.run(async (transaction) => {
      if (!(await this.reviews.finish(account.id, transaction))) return false;
      await this.audit.record(
        {
          ...{ action: 'archive.reviewed', userId: account.userId, accountId: account.id, byService: true },
          ...{
            outcome: suspects > restored ? 'failure' : 'success',
            details: { checked, suspects, restored },
          },
        },
        transaction,
      );
      return true;
    });
    if (!isFirst) return;
    this.logger.log(
      `Reviewed ${checked} copies of account ${account.id}: ${suspects} were wrong, ${restored} of them repaired`,
    );
    await this.findings.notify(ownerOf(account), checked);
  }
}

const ownerOf = ({ id, userId }: ProviderAccount) => ({ userId, accountId: id });

/** Whether a copy ends where a piece of the earlier reader ended. */
const isOfWholePieces = (size: number): boolean => size > 0 && size % EARLIER_PIECE_BYTES === 0;
