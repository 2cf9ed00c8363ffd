import { Injectable } from '@nestjs/common';
import { sleep } from '../../common/concurrency/abortable';
import { MessageNotFound, ProviderRejected } from '../mail-provider.errors';
import type { CallOptions, ProviderAccount, RawMessage } from '../mailbox-provider.port';
import { type ImapAttempt, ImapCalls } from './imap-calls';
import { ImapFoldersRepository } from './imap-folders.repository';
import { ImapListingRepository } from './imap-listing.repository';
import { type Place, ImapPlacesRepository } from './imap-places.repository';
import { FolderMissing } from './imap-session';
import { PIECE_BYTES } from './imap-fetches';
import { ImapSync } from './imap-sync';

/** Held of one answer with several messages. */
const TOGETHER_BYTES = 24 * 1024 * 1024;
const TOGETHER = 100;
/** Messages asked for within this time travel together. */
const GATHER_MS = 5;
/** Who has just been given a message may ask for another. */
const GATHER_NEXT_MS = 25;
/** Bytes are held once more when pieces are joined. */
const HELD_PER_BYTE = 2;
const MAX_ALONE = 1_000;
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

interface Waiting {
  readonly place: Place;
  readonly resolve: (bytes: Buffer | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Messages byte for byte. Small ones that are asked for at the same time come with one command. */
@Injectable()
export class ImapBodies {
  private readonly gathering = new Map<string, Waiting[]>();
  private readonly alone = new Set<string>();

  constructor(
    private readonly calls: ImapCalls,
    private readonly folders: ImapFoldersRepository,
    private readonly places: ImapPlacesRepository,
    private readonly listing: ImapListingRepository,
    private readonly sync: ImapSync,
  ) {}

  /** @throws MessageNotFound */
  async raw(account: ProviderAccount, id: string, options: CallOptions): Promise<RawMessage> {
    let bytes = await this.read(account, id, options);
    if (bytes === null) {
      // It may have been moved: only after a look at the mailbox it is known to be gone.
      await this.calls.run(account, { ...options, command: 'LIST' }, ({ session, server, attempt }) =>
        this.sync.run({ account, server }, session, attempt.signal),
      );
      bytes = await this.read(account, id, options);
    }
    const [message] = bytes === null ? [] : await this.listing.find(account.id, [id]);
    if (bytes === null || !message) throw new MessageNotFound();
    const { threadId, date, labels } = message;
    return { id, threadId, internalDate: new Date(date), labelIds: labels, snippet: '', bytes };
  }

  /** The first `length` bytes of messages; those that have gone are left out. */
  async beginnings(
    account: ProviderAccount,
    ids: readonly string[],
    length: number,
    options: CallOptions,
  ): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    const all = await this.places.ofMessages(account.id, ids);
    const one = [...new Map(all.map((place) => [place.messageId, place])).values()];
    for (const folderId of new Set(one.map((place) => place.folderId))) {
      const places = one.filter((place) => place.folderId === folderId);
      const expectedBytes = places.length * length;
      await this.calls.run(account, { ...options, command: 'FETCH', expectedBytes }, async (means) => {
        if (!(await this.enter(account.id, means, folderId))) return;
        const bytes = await means.session.fetches.beginnings(
          places.map(({ uid }) => uid),
          length,
        );
        for (const { uid, messageId } of places) {
          const beginning = bytes.get(uid);
          if (beginning) found.set(messageId, beginning);
        }
      });
    }
    return found;
  }

  private async read(account: ProviderAccount, id: string, options: CallOptions): Promise<Buffer | null> {
    for (const place of await this.places.ofMessages(account.id, [id])) {
      const bytes =
        place.size > PIECE_BYTES || place.size === 0 || this.alone.has(id)
          ? await this.inPieces(account, place, options)
          : await this.together(account, place, options);
      if (bytes !== null) return bytes;
    }
    return null;
  }

  /** Joins those that are asked for at about the same time. A caller that gives up leaves the others alone. */
  private async together(
    account: ProviderAccount,
    place: Place,
    options: CallOptions,
  ): Promise<Buffer | null> {
    const { signal, priority } = options;
    signal?.throwIfAborted();
    const key = `${account.id}:${place.folderId}:${priority}`;
    const read = new Promise<Buffer | null>((resolve, reject) => {
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

  /** One answer after the other: what is asked for while one comes in makes the next. */
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
        async (means) => {
          const folderId = batch[0]!.place.folderId;
          if (!(await this.enter(account.id, means, folderId))) return new Map<number, Buffer>();
          return means.session.fetches.bodies(
            batch.map(({ place }) => place.uid),
            bytes,
          );
        },
      );
      for (const { place, resolve, reject } of batch) {
        const body = found.get(place.uid) ?? null;
        // Its size was wrongly stated: it has to come in pieces.
        if (body && body.length > PIECE_BYTES) this.inPieces(account, place, options).then(resolve, reject);
        else resolve(body);
      }
    } catch (error) {
      if (batch.length === 1 || !(error instanceof ProviderRejected)) {
        // One of them may be what the server breaks off at: next time each comes alone.
        if (this.alone.size > MAX_ALONE) this.alone.clear();
        for (const { place, reject } of batch) {
          if (batch.length > 1) this.alone.add(place.messageId);
          reject(error);
        }
        return;
      }
      // One message that the server cannot hand out must not keep the others from being read.
      for (const waiting of batch) await this.readBatch(account, [waiting], options);
    }
  }

  private inPieces(account: ProviderAccount, place: Place, options: CallOptions): Promise<Buffer | null> {
    return this.calls.run(
      account,
      { ...options, command: 'FETCH', expectedBytes: place.size * HELD_PER_BYTE },
      async (means) => {
        if (!(await this.enter(account.id, means, place.folderId))) return null;
        const pieces: Buffer[] = [];
        for (let length = 0; length <= MAX_MESSAGE_BYTES;) {
          await means.attempt.reserve((length + PIECE_BYTES) * HELD_PER_BYTE);
          const piece = await means.session.fetches.piece(place.uid, length);
          if (piece === null) return length === 0 ? null : Buffer.concat(pieces);
          pieces.push(piece);
          length += piece.length;
          if (piece.length < PIECE_BYTES) break;
        }
        return Buffer.concat(pieces);
      },
    );
  }

  private async enter(accountId: string, { session }: ImapAttempt, folderId: string): Promise<boolean> {
    const folder = (await this.folders.list(accountId)).find(({ id }) => id === folderId);
    if (!folder) return false;
    try {
      await session.enter(folder.path, folder.uidValidity);
      return true;
    } catch (error) {
      if (!(error instanceof FolderMissing)) throw error;
      return false;
    }
  }
}

/** Takes from the front what one answer may hold. */
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
