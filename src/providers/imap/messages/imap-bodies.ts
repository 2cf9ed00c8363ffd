import { Injectable, Logger } from '@nestjs/common';
import { sleep } from '../../../platform/concurrency/abortable';
import { ProviderFailure } from '../../gateway/provider-call';
import { MessageNotFound, MessageUnreadable, ProviderRejected } from '../../port/mail-provider.errors';
import type { CallOptions, ProviderAccount, RawMessage, RawOptions } from '../../port/mailbox-provider.port';
import type { ImapAccount } from '../login/imap-accounts.repository';
import { type ImapAttempt, ImapCalls } from '../session/imap-calls';
import { groupPlaces } from '../writes/imap-change-plan';
import { PIECE_BYTES, type ReadBytes } from '../session/imap-fetches';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import { type IndexedMessage, ImapListingRepository } from '../store/imap-listing.repository';
import { headerFields } from './imap-message';
import {
  endsWithItsBoundary,
  headerOf,
  holdsIdentity,
  isContentId,
  isDraftId,
  isHeaderOf,
  isPlainDraftId,
  isSameMessage,
} from '../writes/imap-message-check';
import { type Place, ImapPlacesRepository } from '../store/imap-places.repository';
import { FolderMissing } from '../session/imap-session';
import { ImapSync } from '../sync/imap-sync';

/** Most bytes and messages of one answer with several messages. */
const TOGETHER_BYTES = 24 * 1024 * 1024;
const TOGETHER = 100;
/** Time within which requested messages share one command, in milliseconds. */
const GATHER_MS = 5;
/** Wait before the next command of jobs, in milliseconds: a job that just got a message may request another. */
const GATHER_NEXT_MS = 25;
/** Bytes held per byte of a message: pieces are held twice while they are joined. */
const HELD_PER_BYTE = 2;
const MAX_ALONE = 1_000;
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/** Bytes that the server returned for a place, and the stored facts about that server. */
interface Handed extends ReadBytes {
  readonly server: ImapAccount;
}

interface Waiting {
  readonly place: Place;
  readonly resolve: (handed: Handed | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * - `whole`: the bytes are those of the message; a note describes a peculiarity of them
 * - `missing`: no place of the message is known
 * - `withheld`: the server returns nothing, or not all pieces; the message may have been moved or deleted
 * - `renumbered`: the folder has other messages under its UIDs than the index says
 * - `refused`: the message is there, but the server returns other bytes
 */
type Reading =
  | {
      readonly kind: 'whole';
      readonly bytes: Buffer;
      readonly note?: string;
      /** Bytes of further places that differ. */
      readonly others?: readonly Buffer[];
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'withheld' }
  | { readonly kind: 'renumbered' }
  | { readonly kind: 'refused'; readonly error: MessageUnreadable };

/**
 * Reads messages byte for byte. Small ones that are requested at the same time share a command. Bytes are returned only
 * if they have the header of the message with that id and, where the server announces exact sizes, its length.
 */
@Injectable()
export class ImapBodies {
  private readonly logger = new Logger(ImapBodies.name);
  private readonly gathering = new Map<string, Waiting[]>();
  private readonly alone = new Set<string>();

  constructor(
    private readonly calls: ImapCalls,
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly listing: ImapListingRepository,
    private readonly sync: ImapSync,
  ) {}

  /** @throws MessageNotFound, MessageUnreadable */
  async readRaw(account: ProviderAccount, id: string, options: RawOptions): Promise<RawMessage> {
    const read = async (): Promise<Reading> => {
      const found = await (options.everyPlace
        ? this.readEveryPlace(account, id, options)
        : this.read(account, id, options));
      const isOther =
        found.kind === 'whole' &&
        isPlainDraftId(id) &&
        !(await this.isNamedDraft(account.id, id, found.bytes));
      return isOther ? { kind: 'renumbered' } : found;
    };
    let reading = await read();
    if (reading.kind !== 'whole' && reading.kind !== 'refused') {
      // The message may have been moved. Only a sync of the mailbox can show that it is gone.
      await this.calls.run(account, { ...options, command: 'LIST' }, ({ session, server, attempt }) =>
        this.sync.findLost({ account, server }, session, [id], attempt.signal),
      );
      reading = await read();
    }
    // The message may be among those whose headers have not been read, or which the server hides.
    if (reading.kind === 'missing' && (await this.places.findLost(account.id, [id])).length > 0)
      reading = { kind: 'withheld' };
    if (reading.kind === 'refused') throw reading.error;
    if (reading.kind === 'renumbered') throw new MessageUnreadable('message-mismatch');
    // The mailbox has just been synced, and nothing shows that the message is gone.
    if (reading.kind === 'withheld') throw new MessageUnreadable('message-incomplete');
    if (reading.kind === 'missing') throw new MessageNotFound();
    const [message] = await this.listing.find(account.id, [id]);
    if (!message) throw new MessageNotFound();
    const { bytes, note, others = [] } = reading;
    const { threadId, date, labels } = message;
    const notes = note === undefined ? [] : [note];
    return {
      id,
      threadId,
      internalDate: new Date(date),
      labelIds: labels,
      snippet: '',
      bytes,
      others,
      notes,
    };
  }

  /** Reads the first `length` bytes of messages. Messages that are gone, and bytes of other messages, are left out. */
  async readBeginnings(
    account: ProviderAccount,
    ids: readonly string[],
    length: number,
    options: CallOptions,
  ): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    const all = await this.places.findOfMessages(account.id, ids);
    const one = [...new Map(all.map((place) => [place.messageId, place])).values()];
    for (const { places } of groupPlaces(one)) {
      const expectedBytes = places.length * length;
      await this.calls.run(account, { ...options, command: 'FETCH', expectedBytes }, async (attempt) => {
        if (!(await this.enter(account.id, attempt, places[0]!))) return;
        const read = await attempt.session.fetches.fetchBeginnings(
          places.map(({ uid }) => uid),
          length,
        );
        for (const place of places) {
          const beginning = read.get(place.uid);
          if (beginning && isOfMessage(place, { ...beginning, server: attempt.server }))
            found.set(place.messageId, beginning.bytes);
        }
      });
    }
    return found;
  }

  /**
   * Checks whether bytes are those of the draft to which an earlier version gave this id, which does not depend on its
   * content. If not, its folders are read anew.
   */
  private async isNamedDraft(accountId: string, id: string, bytes: Buffer): Promise<boolean> {
    const [message] = await this.listing.find(accountId, [id]);
    if (!message || hasMessageId(bytes, message)) return true;
    this.logger.warn(
      `Another message has the UID of draft ${id} of account ${accountId}; reading its folder again`,
    );
    for (const { folderId, uidValidity } of await this.places.findOfMessages(accountId, [id]))
      await this.folders.distrust({ accountId, id: folderId, uidValidity });
    return false;
  }

  private async read(account: ProviderAccount, id: string, options: CallOptions): Promise<Reading> {
    let worst: Reading = { kind: 'missing' };
    for (const place of await this.places.findOfMessages(account.id, [id])) {
      const reading = await this.readPlace(account, place, options);
      if (reading.kind === 'whole') return reading;
      if (worst.kind !== 'refused') worst = reading;
    }
    return worst;
  }

  /**
   * Reads all places of a message, as places with the same header may hold different bytes. When one cannot be read,
   * the whole reading fails.
   */
  private async readEveryPlace(account: ProviderAccount, id: string, options: CallOptions): Promise<Reading> {
    let first: Extract<Reading, { kind: 'whole' }> | undefined;
    const others: Buffer[] = [];
    for (const place of await this.places.findOfMessages(account.id, [id])) {
      const reading = await this.readPlace(account, place, options);
      if (reading.kind !== 'whole') return reading;
      if (first === undefined) first = reading;
      else if (!reading.bytes.equals(first.bytes)) others.push(reading.bytes);
    }
    return first === undefined ? { kind: 'missing' } : { ...first, others };
  }

  private async readPlace(account: ProviderAccount, place: Place, options: CallOptions): Promise<Reading> {
    try {
      if (place.size > MAX_MESSAGE_BYTES) throw new MessageUnreadable('message-too-large');
      const handed =
        place.size > PIECE_BYTES || place.size === 0 || this.alone.has(place.messageId)
          ? await this.readAlone(account, place, options)
          : await this.readTogether(account, place, options);
      if (handed === null) return { kind: 'withheld' };
      if (isOfMessage(place, handed) && hasAnnouncedLength(place, handed))
        return { kind: 'whole', bytes: handed.bytes };
      return await this.examine(account, place, options);
    } catch (error) {
      if (error instanceof MessageUnreadable) return { kind: 'refused', error };
      throw error;
    }
  }

  /**
   * Examines a place whose bytes are not the announced ones: whether its header is that of the message, and whether the
   * server returns the same bytes twice.
   */
  private async examine(account: ProviderAccount, place: Place, options: CallOptions): Promise<Reading> {
    const call = { ...options, command: 'FETCH', expectedBytes: place.size * HELD_PER_BYTE };
    const reading = await this.calls.run(account, call, async (attempt): Promise<Reading> => {
      if (!(await this.enter(account.id, attempt, place))) return { kind: 'withheld' };
      const { server, session } = attempt;
      const [now] = await session.fetches.fetchHeaders([place.uid]);
      if (!now) return { kind: 'withheld' };
      if (!isSameMessage(place, now)) return { kind: 'renumbered' };
      const bytes = await this.readPieces(attempt, place);
      const again = await this.readPieces(attempt, place, bytes?.bytes.length);
      if (bytes === null || again === null) return { kind: 'withheld' };
      if (!bytes.bytes.equals(again.bytes)) return refusal('message-incomplete');
      const isMessage =
        isOfMessage(place, { ...bytes, server }) ||
        (hasHashedHeader(place) && holdsIdentity(bytes.bytes, headerFields(now.header)));
      if (!isMessage) return refusal('message-mismatch');
      return wholeOf(bytes.bytes, place.size, now.size, server);
    });
    const what = `message ${place.messageId} of account ${account.id}`;
    if (reading.kind === 'renumbered') {
      this.logger.warn(`Another message has the UID of ${what}; reading its folder again`);
      await this.folders.distrust({
        accountId: account.id,
        id: place.folderId,
        uidValidity: place.uidValidity,
      });
    } else if (reading.kind === 'refused')
      this.logger.warn(`Refused the bytes of ${what}: ${reading.error.detail}`);
    return reading;
  }

  /**
   * Reads a place together with others that are requested at about the same time. A caller that gives up does not
   * affect the others.
   */
  private async readTogether(
    account: ProviderAccount,
    place: Place,
    options: CallOptions,
  ): Promise<Handed | null> {
    const { signal, priority } = options;
    signal?.throwIfAborted();
    const key = `${account.id}:${place.folderId}:${place.uidValidity}:${priority}`;
    const read = new Promise<Handed | null>((resolve, reject) => {
      const waiting = { place, resolve, reject };
      const list = this.gathering.get(key);
      if (list) {
        list.push(waiting);
        return;
      }
      this.gathering.set(key, [waiting]);
      void this.readGathered(account, key, { priority });
    });
    if (!signal) return read;
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      void read.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }

  /** Reads the gathered messages, one command at a time. Messages requested meanwhile make the next command. */
  private async readGathered(account: ProviderAccount, key: string, options: CallOptions): Promise<void> {
    await sleep(GATHER_MS);
    for (;;) {
      const gathered = this.gathering.get(key) ?? [];
      if (gathered.length === 0) break;
      const batch = takeBatch(gathered);
      await this.readBatch(account, batch, options);
      if (options.priority !== 'interactive') await sleep(GATHER_NEXT_MS);
    }
    this.gathering.delete(key);
  }

  private async readBatch(
    account: ProviderAccount,
    batch: readonly Waiting[],
    options: CallOptions,
  ): Promise<void> {
    const bytes = batch.reduce((sum, { place }) => sum + place.size, 0);
    try {
      const found = await this.calls.run(
        account,
        { ...options, command: 'FETCH', expectedBytes: bytes * HELD_PER_BYTE },
        async (attempt) => {
          const { server, session } = attempt;
          if (!(await this.enter(account.id, attempt, batch[0]!.place)))
            return { server, bodies: new Map<number, ReadBytes>() };
          const bodies = await session.fetches.fetchBodies(
            batch.map(({ place }) => place.uid),
            bytes,
          );
          return { server, bodies };
        },
      );
      const { server, bodies } = found;
      for (const { place, resolve, reject } of batch) {
        const body = bodies.get(place.uid);
        // The announced size was wrong, so the message has to be read in pieces.
        if (body && body.bytes.length > PIECE_BYTES)
          this.readAlone(account, place, options).then(resolve, reject);
        else resolve(body ? { ...body, server } : null);
      }
    } catch (error) {
      if (batch.length === 1 || !(error instanceof ProviderRejected)) {
        // The server may have failed at one of them. Next time each is read alone.
        if (this.alone.size > MAX_ALONE) this.alone.clear();
        for (const { place, reject } of batch) {
          if (batch.length > 1) this.alone.add(place.messageId);
          reject(error);
        }
        return;
      }
      // One message that the server cannot return must not keep the others from being read.
      for (const waiting of batch) await this.readBatch(account, [waiting], options);
    }
  }

  private readAlone(account: ProviderAccount, place: Place, options: CallOptions): Promise<Handed | null> {
    return this.calls.run(
      account,
      { ...options, command: 'FETCH', expectedBytes: place.size * HELD_PER_BYTE },
      async (attempt) => {
        if (!(await this.enter(account.id, attempt, place))) return null;
        const read = await this.readPieces(attempt, place);
        return read && { ...read, server: attempt.server };
      },
    );
  }

  /**
   * Reads a message to its end: to the announced size where sizes are exact, else until the server returns no more.
   * @param held further bytes that the caller holds
   * @returns null when a piece is missing, so that the bytes would not be the message
   * @throws ProviderFailure when it is larger than may be held
   */
  private async readPieces(
    { session, server, attempt }: ImapAttempt,
    { uid, size }: Place,
    held = 0,
  ): Promise<ReadBytes | null> {
    const pieces: Buffer[] = [];
    let gmailId: string | null = null;
    for (let length = 0; ;) {
      if (length > MAX_MESSAGE_BYTES) throw tooLarge();
      await attempt.reserve(held + (length + PIECE_BYTES) * HELD_PER_BYTE);
      const piece = await session.fetches.fetchPiece(uid, length);
      const last = pieces.at(-1);
      if (piece === null) {
        // Some servers return no data past the end, and all of them do when the message was deleted meanwhile.
        const mayEnd = last !== undefined && last.length < PIECE_BYTES;
        if (!mayEnd || !(await session.fetches.findPresent([uid])).has(uid)) return null;
        break;
      }
      if (last && piece.gmailId !== gmailId) return null;
      gmailId = piece.gmailId;
      if (piece.bytes.length === 0 && (last || size === 0)) {
        // For a message that was expunged meanwhile servers may return empty data too (RFC 2180, section 4.1).
        const mayBeGone = last !== undefined && !server.exactSizes;
        if (mayBeGone && !(await session.fetches.findPresent([uid])).has(uid)) return null;
        break;
      }
      if (piece.bytes.length === 0) return { bytes: piece.bytes, gmailId };
      pieces.push(piece.bytes);
      length += piece.bytes.length;
      if (server.exactSizes && length === size) break;
    }
    return { bytes: Buffer.concat(pieces), gmailId };
  }

  /** Opens the folder of a place. @returns false when the folder is gone or has another UIDVALIDITY */
  private async enter(accountId: string, { session }: ImapAttempt, place: Place): Promise<boolean> {
    const folder = (await this.folders.list(accountId)).find(({ id }) => id === place.folderId);
    if (!folder) return false;
    try {
      await session.enter(folder.path, place.uidValidity);
      return true;
    } catch (error) {
      if (!(error instanceof FolderMissing)) throw error;
      return false;
    }
  }
}

const refusal = (code: 'message-incomplete' | 'message-mismatch'): Reading => ({
  kind: 'refused',
  error: new MessageUnreadable(code),
});

const tooLarge = (): ProviderFailure =>
  new ProviderFailure({
    kind: 'refused',
    reason: 'size',
    error: new MessageUnreadable('message-too-large'),
  });

/** Whether bytes, or the beginning of them, are those of the message of a place, by their header or Gmail's id. */
function isOfMessage(place: Place, { bytes, gmailId, server }: Handed): boolean {
  if (hasHashedHeader(place)) return isHeaderOf(bytes, place);
  return !server.gmailLabels || gmailId === place.messageId;
}

/** Whether the id of a place is derived from the header of its message. */
const hasHashedHeader = ({ messageId }: Place): boolean =>
  isContentId(messageId) || (isDraftId(messageId) && !isPlainDraftId(messageId));

const hasAnnouncedLength = ({ size }: Place, { bytes, server }: Handed): boolean =>
  !server.exactSizes || bytes.length === size;

/**
 * Decides whether bytes that the server returned twice are a whole message, although their number is not the announced
 * one. They are when there are more than announced, or when they end with the closing boundary of their multipart.
 * @param announced size announced when the message was found
 * @param announcedNow size announced now; some servers change the bytes of a message when its flags change
 */
function wholeOf(bytes: Buffer, announced: number, announcedNow: number, server: ImapAccount): Reading {
  const { length } = bytes;
  if (!server.exactSizes || length === announced) return { kind: 'whole', bytes };
  const isWhole =
    length === announcedNow || length > Math.max(announced, announcedNow) || endsWithItsBoundary(bytes);
  if (!isWhole) return refusal('message-incomplete');
  return {
    kind: 'whole',
    bytes,
    note: `the mail server announced ${announced} bytes and handed out ${length}, twice the same`,
  };
}

/** Whether the bytes have the known Message-ID of the message; true when it has none that can be searched for. */
function hasMessageId(bytes: Buffer, { facts }: IndexedMessage): boolean {
  const { messageIdHeader } = facts;
  if (!messageIdHeader || !/^<[\x21-\x7e]+>$/.test(messageIdHeader)) return true;
  return (headerOf(bytes) ?? bytes).includes(messageIdHeader, 0, 'latin1');
}

/** Takes as many messages from the front as one answer may hold. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const { place } of waiting) {
    bytes += place.size;
    if (count > 0 && (bytes > TOGETHER_BYTES || count === TOGETHER)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}
