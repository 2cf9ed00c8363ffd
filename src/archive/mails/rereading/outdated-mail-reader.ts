import { Injectable } from '@nestjs/common';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently';
import {
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
  isDamage,
  ObjectMissing,
} from '../../files/archive-store.errors';
import { ArchiveStores } from '../../files/archive-store.port';
import { MessageBudget, type MemoryReservation } from '../archiving/message-budget';
import { isUnparsed, MessageParser } from '../archiving/message-parser';
import type { ArchiveParse } from '../archiving/parse-message.task';
import { ContentMacs } from '../writing/content-macs';
import { datesOfEarlierMail } from './dates-of-earlier-mail';
import type { OutdatedMail } from './outdated-mails.repository';
import type { RereadMail, UnreadMail } from './reread-mails.repository';
import type { ReaderProblem } from './reader-version';

/** Files read and parsed at a time: few, as people's requests use the same threads. */
const FILES_AT_A_TIME = 4;
/** The provider whose messages have previews of its own. */
const PROVIDER_WITH_SNIPPETS = 'gmail';

/** The account whose mails are read again. */
export interface RereadAccount {
  readonly id: string;
  readonly userId: string;
  readonly provider: string;
}

/** Stores as a step has found them. */
export interface KnownStores {
  /** Stores that cannot be reached. */
  readonly unavailable: Set<string>;
  /** Stores that had a file. */
  readonly proved: Set<string>;
}

/** The mails of a batch by outcome. */
export interface BatchRead {
  readonly reread: readonly RereadMail[];
  readonly unread: readonly UnreadMail[];
  /** Mails that cannot be read at the moment. */
  readonly left: readonly OutdatedMail[];
  /** The first error of these. */
  readonly problem: unknown;
}

/** Reads mails from their files and parses them, within the memory that archiving has for messages. */
@Injectable()
export class OutdatedMailReader {
  constructor(
    private readonly stores: ArchiveStores,
    private readonly parser: MessageParser,
    private readonly budget: MessageBudget,
    private readonly macs: ContentMacs,
  ) {}

  /**
   * Reads the mails of a batch. A missing file counts as lost only in a store that had another one in this step: the disk of the
   * archive may not be there at all.
   */
  async readAll(
    account: RereadAccount,
    batch: readonly OutdatedMail[],
    stores: KnownStores,
    signal: AbortSignal,
  ): Promise<BatchRead> {
    const reread: RereadMail[] = [];
    const unread: UnreadMail[] = [];
    const missing: OutdatedMail[] = [];
    const left: OutdatedMail[] = [];
    let problem: unknown = null;
    const reservation = this.budget.open(account.userId, signal);
    try {
      await forEachConcurrently(batch, FILES_AT_A_TIME, async (mail) => {
        if (stores.unavailable.has(mail.storage)) return void left.push(mail);
        if (mail.isEncrypted) return void unread.push(unreadMail(mail, null));
        try {
          const parsed = await this.readOne(account, mail, reservation, stores, signal);
          if (typeof parsed === 'string') unread.push(unreadMail(mail, parsed));
          else reread.push(this.toReread(account, mail, parsed));
        } catch (error) {
          // One file must not keep the others from being read.
          signal.throwIfAborted();
          if (error instanceof ObjectMissing) return void missing.push(mail);
          if (isOfStore(error)) stores.unavailable.add(mail.storage);
          left.push(mail);
          problem ??= error;
        }
      });
    } finally {
      reservation.close();
    }
    for (const mail of missing) {
      // The integrity check reports them.
      if (stores.proved.has(mail.storage)) unread.push(unreadMail(mail, 'missing'));
      else {
        left.push(mail);
        problem ??= new ObjectMissing();
      }
    }
    return { reread, unread, left, problem };
  }

  /** @throws ObjectMissing; the errors of the store */
  private async readOne(
    account: RereadAccount,
    mail: OutdatedMail,
    reservation: MemoryReservation,
    { proved }: KnownStores,
    signal: AbortSignal,
  ): Promise<ArchiveParse | ReaderProblem> {
    const store = await this.stores.find(mail.storage, account.userId);
    await reservation.reserve(mail.id, mail.sizeBytes);
    try {
      // The limit is one byte more, so that a longer file is noticed without being read.
      const raw = await store.read(mail.storageKey, { signal, atMost: mail.sizeBytes + 1 });
      proved.add(mail.storage);
      if (raw.length !== mail.sizeBytes) return 'altered';
      const parsed = await this.parser.parse(raw, signal);
      if (parsed.sha256 !== mail.sha256) return 'altered';
      return isUnparsed(parsed) ? 'unparsed' : parsed;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return 'altered';
    } finally {
      reservation.release(mail.id);
    }
  }

  private toReread(account: RereadAccount, mail: OutdatedMail, parsed: ArchiveParse): RereadMail {
    return {
      mail,
      parsed,
      dates: datesOfEarlierMail(mail, parsed),
      contentMac: this.macs.of(account.id, parsed),
      keepsSnippet: account.provider === PROVIDER_WITH_SNIPPETS && !mail.isImported,
    };
  }
}

const unreadMail = (mail: OutdatedMail, problem: ReaderProblem | null): UnreadMail => ({
  mail,
  dates: datesOfEarlierMail(mail, null),
  problem,
});

const isOfStore = (error: unknown): boolean =>
  error instanceof ArchiveStoreUnavailable ||
  error instanceof ArchiveStoreRefused ||
  error instanceof ArchiveStoreUnknown;
