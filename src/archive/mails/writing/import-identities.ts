import { Injectable, Logger } from '@nestjs/common';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently';
import type { Transaction } from '../../../platform/database/transactions';
import { DomainError } from '../../../platform/http/domain-error';
import { ArchiveStores } from '../../files/archive-store.port';
import {
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
} from '../../files/archive-store.errors';
import { MessageParser } from '../archiving/message-parser';
import { ContentMacs } from './content-macs';
import { contentKey, DuplicatesRepository, headerOf, type UncomparedMail } from './duplicates.repository';
import { findFreeNumbers, addNumber } from './free-numbers';
import type { ArchiveOwner, NewArchivedMail } from './mail-to-archive';

const MIB = 1024 * 1024;
/** Larger mails archived before their content was on record are not read again: they count as different. */
const MAX_READ = 8 * MIB;
/** Mails read from stores at a time; with `MAX_READ` it bounds the memory of an import. */
const CONCURRENT_READS = 4;
/** Consecutive failures after which an import no longer reads from a store: each failure costs a wait. */
const MAX_FAILURES = 2;

/** Mails that are the same as another, by their row's id: its name in the archive, null if it is of the same batch. */
export type Duplicates = ReadonlyMap<string, string | null>;

/**
 * Decides which imported mails are in the archive already, and how the others are named there. The same are mails with
 * the same bytes, or with the same Message-ID and the same content. Whatever cannot be compared is taken for different:
 * nothing is dropped that may be another message.
 */
@Injectable()
export class ImportIdentities {
  private readonly logger = new Logger(ImportIdentities.name);
  /** Consecutive failures of each store, by its name, for each import; the signal of an import identifies it. */
  private readonly failures = new WeakMap<AbortSignal, Map<string, number>>();

  constructor(
    private readonly repository: DuplicatesRepository,
    private readonly macs: ContentMacs,
    private readonly parser: MessageParser,
    private readonly stores: ArchiveStores,
  ) {}

  /**
   * Reads mails that were archived before their content was on record, if there are some of the same Message-ID.
   * @param signal the import's, the same one each time
   */
  async compare(
    owner: ArchiveOwner,
    mails: readonly NewArchivedMail[],
    signal: AbortSignal,
  ): Promise<Duplicates> {
    const { accountId } = owner;
    const duplicates = await this.findDuplicates(accountId, mails);
    const others = mails.filter(({ id }) => !duplicates.has(id));
    const uncompared = await this.repository.findUncompared(accountId, others, MAX_READ);
    if (uncompared.length === 0) return duplicates;
    // The same bytes have the same content: only others are read.
    const known = new Map(
      others.map((entry) => [bytesKey(headerOf(entry), entry.mail.parsed.sha256), entry.contentMac]),
    );
    await forEachConcurrently(uncompared, CONCURRENT_READS, async (mail) => {
      const mac =
        known.get(bytesKey(mail.header, mail.sha256)) ?? (await this.readContent(owner, mail, signal));
      if (mac !== null) await this.repository.rememberContent(accountId, mail, mac);
    });
    return this.findDuplicates(accountId, mails);
  }

  /** Finds the mails that the archive has already, or that equal an earlier one of the list. */
  async findDuplicates(
    accountId: string,
    mails: readonly NewArchivedMail[],
    transaction?: Transaction,
  ): Promise<Duplicates> {
    const sameContent = await this.repository.findSameContent(accountId, mails, transaction);
    const sameBytes = await this.repository.findSameBytes(accountId, mails, transaction);
    // A name made of the bytes tells also when the mail has been encrypted since.
    const inUse = await this.repository.findNamesInUse(accountId, mails.map(nameOfBytes), transaction);
    const archivedAs = (entry: NewArchivedMail): string | undefined => {
      const byBytes = nameOfBytes(entry);
      return (
        sameContent.get(contentKey(entry)) ??
        sameBytes.get(entry.mail.parsed.sha256) ??
        (inUse.has(byBytes) ? byBytes : undefined)
      );
    };
    const seen = new Set<string>();
    const duplicates = new Map<string, string | null>();
    for (const entry of mails) {
      const key = contentKey(entry);
      const name = archivedAs(entry);
      if (name !== undefined) duplicates.set(entry.id, name);
      else if (seen.has(key)) duplicates.set(entry.id, null);
      seen.add(key);
    }
    return duplicates;
  }

  /**
   * Names mails that are new: the first of a Message-ID keeps the name it comes with, further ones get `#2`, `#3` and
   * so on.
   * @param transaction has locked the account's archive
   */
  async assignNames(
    accountId: string,
    mails: readonly NewArchivedMail[],
    transaction: Transaction,
  ): Promise<NewArchivedMail[]> {
    const headers = new Map<string, string>();
    for (const entry of mails) {
      const header = headerOf(entry);
      if (header !== null && !headers.has(header)) headers.set(header, entry.mail.messageId);
    }
    const known = await this.repository.findHeadersInUse(accountId, [...headers.keys()], transaction);
    const free = await findFreeNumbers(
      [...headers].filter(([header]) => known.has(header)).map(([, name]) => name),
      (asked) => this.repository.findNamesInUse(accountId, asked, transaction),
    );
    const next = new Map([...headers].map(([header, name]) => [header, free.get(name) ?? 1]));
    const named = mails.map((entry) => {
      const header = headerOf(entry);
      if (header === null) return entry;
      const number = next.get(header) as number;
      next.set(header, number + 1);
      return { ...entry, name: addNumber(entry.mail.messageId, number) };
    });
    const names = named.map(({ name }) => name);
    const inUse = await this.repository.findNamesInUse(accountId, names, transaction);
    const given = new Set<string>();
    return named.map((entry) => {
      // The Message-ID of one mail may look like the numbered name of another.
      const isFree = !inUse.has(entry.name) && !given.has(entry.name);
      given.add(entry.name);
      return isFree ? entry : { ...entry, name: nameOfBytes(entry) };
    });
  }

  /** @returns null when it cannot be read, or is not what was archived */
  private async readContent(
    { userId, accountId }: ArchiveOwner,
    mail: UncomparedMail,
    signal: AbortSignal,
  ): Promise<string | null> {
    const failures = this.failuresOf(signal);
    if ((failures.get(mail.storage) ?? 0) >= MAX_FAILURES) return null;
    try {
      const store = await this.stores.find(mail.storage, userId);
      const raw = await store.read(mail.storageKey, { signal, atMost: MAX_READ });
      failures.delete(mail.storage);
      const parsed = await this.parser.parse(raw, signal);
      return parsed.sha256 === mail.sha256 ? this.macs.of(accountId, parsed) : null;
    } catch (error) {
      if (signal.aborted || !(error instanceof DomainError)) throw error;
      // An old store that is gone must not keep its owner from importing.
      this.logger.warn(`Mail ${mail.id} could not be compared: ${error.code}`);
      if (isStoreAway(error)) failures.set(mail.storage, (failures.get(mail.storage) ?? 0) + 1);
      return null;
    }
  }

  private failuresOf(signal: AbortSignal): Map<string, number> {
    const failures = this.failures.get(signal) ?? new Map<string, number>();
    this.failures.set(signal, failures);
    return failures;
  }
}

const isStoreAway = (error: DomainError): boolean =>
  error instanceof ArchiveStoreUnavailable ||
  error instanceof ArchiveStoreRefused ||
  error instanceof ArchiveStoreUnknown;
const bytesKey = (header: string | null, sha256: string): string => `${sha256} ${header ?? ''}`;
const nameOfBytes = ({ mail }: NewArchivedMail): string => `sha256:${mail.parsed.sha256}`;
