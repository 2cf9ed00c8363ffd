import { createHash } from 'node:crypto';
import { ObjectMissing } from '../../archive/files/archive-store.errors';
import type { MailContentReader } from '../../archive/mails/mail-content-reader';
import { MailsEncrypted, MailUndecryptable } from '../../archive/passphrases/encryption.errors';
import type { MailKeys } from '../../archive/passphrases/mail-keys';
import type { JobContext } from '../../platform/jobs/job-definition';
import { OutcomeUnknown } from '../../providers/port/mail-provider.errors';
import { arrivalNotesOf, type Likeness, likenessOf } from './arrived-message';
import type {
  ArrivedMessage,
  HeldMessage,
  MailboxDestination,
  MailToPlace,
} from './mailbox-destination.port';
import type {
  ItemResult,
  OpenItem,
  RestorableMail,
  RestoreItemsRepository,
} from './restore-items.repository';
import type { RestoreNote, RestoreOutcome } from './restore.entity';
import { restoredLabelsOf } from './restored-labels';
import type { Restore } from './restores.repository';
import { RefusedByDestination } from './restore.errors';
import { delay as sleep } from '../../platform/concurrency/timers';

/** Insertions of one mail whose answers were lost, after which the restore reports the destination as failing. */
const MAX_LOST = 3;

/** Difference of dates that counts as none: providers keep dates to the second, and clocks differ. */
const DATE_SLACK_MS = 60_000;
/** Difference in size that header fields added by a provider may cause, in bytes. */
const SIZE_SLACK_BYTES = 4_096;

export interface RestorerServices {
  readonly items: RestoreItemsRepository;
  readonly contents: MailContentReader;
  readonly destination: MailboxDestination;
  /** Names of the source mailbox's labels. */
  readonly names: ReadonlyMap<string, string>;
  /** Keys of encrypted mails; null: no passphrase was given. */
  readonly keys: () => Promise<MailKeys | null>;
  readonly settleMs: readonly number[];
  readonly job: Pick<JobContext, 'signal' | 'lease' | 'assertLeased'>;
}

/** A mail that has been read. */
interface ReadItem {
  readonly item: OpenItem;
  readonly mail: RestorableMail;
  readonly contentSha256: string;
  readonly place: MailToPlace;
  /** Ids of messages that restores have made of the mail, this one or earlier ones. */
  readonly own: ReadonlySet<string>;
  /** Ids of messages that earlier restores have found to be the mail. */
  readonly found: ReadonlySet<string>;
  readonly isOwnMailbox: boolean;
}

/** Puts single mails of a restore into its destination. */
export class MailRestorer {
  /** Mails in progress by Message-ID, or by content: the second of two has to wait for the outcome of the first. */
  private readonly underWay = new Map<string, Promise<unknown>>();
  private readonly arrivals = new Map<string, Promise<readonly ArrivedMessage[] | null>>();
  /** Size of the smallest mail for which the destination had no room. */
  private smallestWithoutRoom = Infinity;

  constructor(
    private readonly restore: Restore,
    private readonly services: RestorerServices,
  ) {}

  /**
   * Restores a mail, and stores its outcome. Can be repeated.
   * @throws the errors that concern all mails: of the destination, the archive's store, the passphrase
   */
  async restoreItem(item: OpenItem): Promise<ItemResult> {
    const { items, job } = this.services;
    const result = await this.determineOutcome(item);
    await items.markDone(this.restore.id, item.position, result, job.lease);
    return result;
  }

  private async determineOutcome(item: OpenItem): Promise<ItemResult> {
    const { mail } = item;
    if (!mail) {
      // The message was deleted after it was put back, before it was compared.
      if (item.targetId !== null)
        return { ...EMPTY, outcome: 'inserted', notes: item.notes, targetId: item.targetId };
      return failureOf('failed', 'mail-deleted');
    }
    if (mail.sizeBytes > this.services.destination.maxBytes) return failureOf('too-large', null);
    const bytes = await this.read(mail);
    if (!Buffer.isBuffer(bytes)) return bytes;
    const contentSha256 = createHash('sha256').update(bytes).digest('hex');
    return this.runExclusively(mail.messageIdHeader ?? contentSha256, async () => {
      const read = await this.describe(item, mail, bytes, contentSha256);
      try {
        return await this.insertOnce(read);
      } catch (error) {
        if (!(error instanceof RefusedByDestination)) throw error;
        if (error.code === 'mailbox-full')
          this.smallestWithoutRoom = Math.min(this.smallestWithoutRoom, bytes.length);
        return error.code === 'message-too-large'
          ? failureOf('too-large', null)
          : failureOf('failed', error.code);
      }
    });
  }

  /** The plain message, or the result that says why it cannot be read. */
  private async read(mail: RestorableMail): Promise<Buffer | ItemResult> {
    const { contents, keys, job } = this.services;
    try {
      const found = mail.isEncrypted ? await keys() : null;
      const bytes = await contents.read(mail, found, { signal: job.signal });
      // The file of an encrypted mail is authenticated when it is decrypted.
      const isIntact = mail.isEncrypted || createHash('sha256').update(bytes).digest('hex') === mail.sha256;
      return isIntact ? bytes : failureOf('damaged', 'copy-altered');
    } catch (error) {
      if (error instanceof ObjectMissing) return failureOf('damaged', 'copy-missing');
      if (error instanceof MailUndecryptable) return failureOf('damaged', 'copy-altered');
      if (error instanceof MailsEncrypted) return failureOf('encrypted', null);
      throw error;
    }
  }

  private async describe(
    item: OpenItem,
    mail: RestorableMail,
    bytes: Buffer,
    contentSha256: string,
  ): Promise<ReadItem> {
    const { items, names } = this.services;
    const { restore } = this;
    const isOwnMailbox = restore.targetAccountId === mail.accountId && !mail.isImported;
    const { own, found } = await items.targetsOf(mail.id, restore.id, contentSha256);
    const copies =
      mail.messageIdHeader === null && restore.targetAccountId !== null
        ? await items.findNamelessCopies(restore.targetAccountId, contentSha256)
        : [];
    const joined = await items.threadOf(restore.id, item.sourceThread);
    const place: MailToPlace = {
      messageIdHeader: mail.messageIdHeader,
      bytes,
      date: mail.date,
      keywords: mail.keywords,
      labels: restoredLabelsOf(mail, names, restore),
      knownIds: [
        ...new Set([...(isOwnMailbox && !mail.isGone ? [mail.messageId] : []), ...own, ...found, ...copies]),
      ],
      threadId: joined ?? (isOwnMailbox ? item.sourceThread : null),
      threadIsThere: joined !== null,
    };
    return { item, mail, contentSha256, place, own, found, isOwnMailbox };
  }

  private async insertOnce(read: ReadItem): Promise<ItemResult> {
    const { item } = read;
    if (item.state === 'arrived' && item.targetId !== null) {
      const { notes, targetId } = item;
      return this.compareArrived(read, { ...EMPTY, outcome: 'inserted', notes, targetId });
    }
    if (item.state === 'inserting') {
      const recovered = await this.recover(read, item.cursor, { isFirst: true });
      if (recovered) return this.compareArrived(read, recovered);
    }
    const there = await this.findTwin(read);
    if (there) return there;
    return this.compareArrived(read, await this.insert(read));
  }

  /** The result when the destination has the mail already, or another message with its Message-ID; null: it has neither. */
  private async findTwin(read: ReadItem): Promise<ItemResult | null> {
    const { place, contentSha256 } = read;
    let different: string | null = null;
    for await (const held of this.services.destination.find(place)) {
      const likeness = likenessOf(place.bytes, held.bytes);
      const origin = await this.originOf(read, held.id, likeness);
      if (origin === 'this') return this.acceptExisting(read, held, likeness, 'already-there');
      if (origin === 'unknown') different ??= held.id;
    }
    if (different === null || this.restore.onDifferent === 'insert') return null;
    return { ...EMPTY, outcome: 'same-id-differs', targetId: different, contentSha256 };
  }

  /**
   * Finds out which mail of the archive a message of the destination was made from. Equal bytes are not required where a
   * restore has put it there, since providers and servers may change them.
   */
  private async originOf(
    { mail, contentSha256, own, found, isOwnMailbox }: ReadItem,
    targetId: string,
    likeness: Likeness,
  ): Promise<'this' | 'another' | 'unknown'> {
    const { items } = this.services;
    if (own.has(targetId)) return 'this';
    // A copy that an earlier restore left there is archived as a mail by now, which may be this one.
    const isEqual = likeness === 'same' || likeness === 'line-ends';
    if (isOwnMailbox && isEqual && targetId === mail.messageId) return 'this';
    if (
      await items.isTakenByAnother(targetId, { restoreId: this.restore.id, mailId: mail.id, contentSha256 })
    )
      return 'another';
    if (found.has(targetId) || likeness === 'same' || likeness === 'line-ends') return 'this';
    // Both were messages of this mailbox at one time: each belongs there.
    const isArchived = isOwnMailbox && likeness === 'different' && targetId !== mail.messageId;
    return isArchived && (await items.isArchived(mail.accountId, targetId)) ? 'another' : 'unknown';
  }

  /** The result for a message that is the mail: it is taken out of the trash if it is there. */
  private async acceptExisting(
    read: ReadItem,
    held: HeldMessage,
    likeness: Likeness,
    outcome: RestoreOutcome,
  ): Promise<ItemResult> {
    const notes = likeness === 'same' ? [] : arrivalNotesOf(likeness, read.mail.date, null);
    const result = {
      ...EMPTY,
      outcome,
      notes,
      targetId: held.id,
      targetThread: held.threadId,
      contentSha256: read.contentSha256,
    };
    if (!held.isInTrash) return result;
    const { destination } = this.services;
    const added = await destination.untrash(held.id, read.place);
    const untrashed = { ...result, outcome: 'untrashed' as const, notes: [...notes, ...added] };
    if (!this.restore.verify) return untrashed;
    const now = await destination.readBack(held.id, read.place.bytes.length);
    return now && !now.isInTrash ? untrashed : { ...untrashed, ...failureOf('failed', 'still-in-trash') };
  }

  private async insert(read: ReadItem): Promise<ItemResult> {
    const { destination, settleMs, job } = this.services;
    if (read.place.bytes.length >= this.smallestWithoutRoom) throw new RefusedByDestination('mailbox-full');
    const fence = (): void => job.assertLeased();
    for (let lost = 1; ; lost++) {
      try {
        const { id, threadId, notes } = await destination.insert(read.place, fence);
        return await this.recordArrival(read, { id, threadId }, notes);
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error;
        for (const pause of settleMs) {
          await sleep(pause, undefined, { signal: job.signal });
          const recovered = await this.recover(read, read.item.cursor, { isFirst: false });
          if (recovered) return recovered;
        }
        // The provider has accepted the mail: it is there, or was there.
        if (error.wasAccepted) throw new RefusedByDestination('outcome-unknown', error);
        if (lost >= MAX_LOST) throw error;
      }
    }
  }

  private async recordArrival(
    read: ReadItem,
    { id, threadId }: Pick<HeldMessage, 'id' | 'threadId'>,
    notes: readonly RestoreNote[],
  ): Promise<ItemResult> {
    const { contentSha256, item } = read;
    const { items, job } = this.services;
    const result = {
      ...EMPTY,
      outcome: 'inserted' as const,
      notes,
      targetId: id,
      targetThread: threadId,
      contentSha256,
    };
    await items.markArrived(this.restore.id, item.position, result, job.lease);
    return result;
  }

  /** The result for a message made by an insertion whose answer was lost: labels that were to follow may be missing. */
  private async completeArrival(read: ReadItem, held: HeldMessage): Promise<ItemResult> {
    const notes = await this.services.destination.completeLabels(held, read.place);
    return this.recordArrival(read, held, notes);
  }

  /**
   * Looks for a mail that may have been added by a call whose answer was lost.
   * @param isFirst for mails of an earlier attempt, which share the list of messages that have arrived since
   * @returns null when the mail was not added
   */
  private async recover(
    read: ReadItem,
    cursor: string | null,
    { isFirst }: { readonly isFirst: boolean },
  ): Promise<ItemResult | null> {
    const { destination, items } = this.services;
    const { place } = read;
    const arrivals = cursor === null ? null : await this.listArrivedSince(cursor, isFirst);
    if (!arrivals) return this.recoverBySearch(read);
    const candidates = arrivals.filter(({ messageIdHeader }) => messageIdHeader === place.messageIdHeader);
    const different: HeldMessage[] = [];
    for (const { id } of candidates) {
      const held = await destination.readBack(id, place.bytes.length);
      if (!held) continue;
      const likeness = likenessOf(place.bytes, held.bytes);
      if ((await this.originOf(read, id, likeness)) === 'another') continue;
      if (likeness !== 'different') return this.completeArrival(read, held);
      different.push(held);
    }
    if (!PLAIN_ID.test(place.messageIdHeader ?? '')) return this.recoverByBytes(read, arrivals);
    // A message made from another mail with that Message-ID says nothing about this mail.
    if (different.length === 0) return null;
    const ids = different.map(({ id }) => id);
    const taken = await items.findTakenTargets(this.restore.id, ids);
    const own = different.find(({ id }) => !taken.has(id));
    return own ? this.completeArrival(read, own) : null;
  }

  /**
   * Looks for a mail among what has arrived when the mailbox may state its Message-ID otherwise: providers add one that is
   * missing, and treat tabs, letters beyond ASCII and long ones differently. Only the bytes decide.
   */
  private async recoverByBytes(
    read: ReadItem,
    arrivals: readonly ArrivedMessage[],
  ): Promise<ItemResult | null> {
    const { destination } = this.services;
    const { place } = read;
    for (const { id } of arrivals.filter((arrival) => isCandidate(place, arrival))) {
      const held = await destination.readBack(id, place.bytes.length);
      const likeness = held ? likenessOf(place.bytes, held.bytes) : 'different';
      if (!held || likeness === 'different' || (await this.originOf(read, id, likeness)) === 'another')
        continue;
      return this.completeArrival(read, held);
    }
    return null;
  }

  private async recoverBySearch(read: ReadItem): Promise<ItemResult | null> {
    const { destination } = this.services;
    for await (const held of destination.find(read.place)) {
      const likeness = likenessOf(read.place.bytes, held.bytes);
      const isOther =
        likeness === 'different' || (await this.originOf(read, held.id, likeness)) === 'another';
      if (!isOther) return this.completeArrival(read, held);
    }
    if (destination.canFind(read.place)) return null;
    throw new RefusedByDestination('outcome-unknown');
  }

  private listArrivedSince(cursor: string, isShared: boolean): Promise<readonly ArrivedMessage[] | null> {
    const { destination } = this.services;
    if (!isShared) return destination.listArrivedSince(cursor);
    let arrivals = this.arrivals.get(cursor);
    if (!arrivals) {
      arrivals = destination.listArrivedSince(cursor);
      this.arrivals.set(cursor, arrivals);
      arrivals.catch(() => this.arrivals.delete(cursor));
    }
    return arrivals;
  }

  /** The result with the notes about the message that has arrived. */
  private async compareArrived(read: ReadItem, result: ItemResult): Promise<ItemResult> {
    if (!this.restore.verify || result.targetId === null) return result;
    const { place, mail, contentSha256 } = read;
    const held = await this.services.destination.readBack(result.targetId, place.bytes.length);
    if (!held) return { ...failureOf('failed', 'gone-after-insert'), contentSha256 };
    const likeness = likenessOf(place.bytes, held.bytes);
    if (held.isInTrash) {
      // The provider returned a message that was in the trash before.
      if (likeness === 'different')
        return { ...EMPTY, outcome: 'same-id-differs', targetId: held.id, contentSha256 };
      return this.acceptExisting(read, held, likeness, 'untrashed');
    }
    const notes = new Set([...result.notes, ...arrivalNotesOf(likeness, mail.date, held.date)]);
    return { ...result, targetThread: held.threadId, contentSha256, notes: [...notes] };
  }

  private async runExclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (let other; (other = this.underWay.get(name));) await other;
    const working = work();
    const ended = working.then(
      () => this.underWay.delete(name),
      () => this.underWay.delete(name),
    );
    this.underWay.set(name, ended);
    return working;
  }
}

/** Message-IDs that every mailbox reports in the same form. */
const PLAIN_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>$/;

/** Whether a message that has arrived may be the mail and has to be read: its date or its size is about the same. */
function isCandidate({ messageIdHeader, date, bytes }: MailToPlace, arrived: ArrivedMessage): boolean {
  // It has been read already.
  if (arrived.messageIdHeader === messageIdHeader) return false;
  const isOfDate = Math.abs(arrived.date.getTime() - date.getTime()) <= DATE_SLACK_MS;
  return isOfDate || Math.abs(arrived.sizeBytes - bytes.length) <= SIZE_SLACK_BYTES;
}

const EMPTY = { notes: [], reason: null, targetId: null, targetThread: null, contentSha256: null } as const;

const failureOf = (outcome: RestoreOutcome, reason: string | null): ItemResult => ({
  ...EMPTY,
  outcome,
  reason,
});
