import type { FetchMessageObject, ImapFlow, FetchQueryObject, MailboxObject } from 'imapflow';
import { PaceWatch, slowest } from '../../../platform/concurrency/pace-watch';
import { decodeModifiedUtf7 } from '../../../providers/imap/session/mailbox-name';
import { UidSet } from '../../../providers/imap/session/uid-set';
import { imapClient, type ImapServer, PIECE } from './imap-client';
import { describeImapError, ImapFailure, ImapStage, TOO_SLOW } from './imap.errors';
import type { ImapFolderName, ImapMarks } from './imap-labels';
import type { ImapTimings } from './imap-timings';
import { StatedSizes } from './stated-sizes';
import { setTimeout, setInterval } from '../../../platform/concurrency/timers';

const MIB = 1024 * 1024;

/** A message as the server describes it. */
export interface ImapMessage extends ImapMarks {
  readonly uid: number;
  /** As the server states it. */
  readonly size: number;
  readonly receivedAt: Date | null;
  /** Gmail's conversation, as its API names it; null from every other server. */
  readonly threadId: string | null;
}

type Sized = Pick<ImapMessage, 'uid' | 'size'>;

/** For the description of a message, and for a UID in a list. */
const DESCRIPTION_BYTES = 1_024;
const UID_BYTES = 11;
/** How often what has arrived is looked at. */
const POLL_MS = 200;
/** Limit for the small messages of one answer, a multiple of their stated sizes: a server that sends more lies. */
const MAX_ANSWER = 24 * MIB;
/** Limits for the flags and labels of a message, and for the characters of each; further ones are ignored. */
const MAX_MARKS = 200;
const MAX_MARK = 255;
const GOODBYE_MS = 5_000;

/** The message has been deleted since it was described. */
export class MessageGone extends Error {}

/**
 * One folder of an IMAP server, open for reading only: nothing on the server changes, no message becomes read. Every
 * method throws `ImapFailure`; what was going on when `close` is called fails at once.
 */
export class ImapConnection {
  /** Sizes of the messages that were read over this connection. */
  readonly statedSizes = new StatedSizes();
  private isSlow = false;

  private constructor(
    private readonly client: ImapFlow,
    private readonly secure: boolean,
    private readonly limits: ImapTimings,
    private readonly mailbox: MailboxObject,
    readonly folder: ImapFolderName,
  ) {}

  /**
   * Connects, logs in and opens a folder.
   * @param folder as the server names it, or with `/` between levels
   * @param signal ends it, and the connection with it
   */
  static async open(
    server: ImapServer,
    folder: string,
    signal: AbortSignal,
    limits: ImapTimings,
  ): Promise<ImapConnection> {
    const client = imapClient(server, limits);
    const close = (): void => client.close();
    signal.addEventListener('abort', close, { once: true });
    client.once('close', () => signal.removeEventListener('abort', close));
    let stage: ImapStage = 'connect';
    const clock = setTimeout(close, limits.openMs);
    try {
      signal.throwIfAborted();
      await client.connect();
      stage = 'open';
      const mailbox = await openFolder(client, folder);
      const { path, delimiter, specialUse } = mailbox;
      const name = delimiter ? path.split(delimiter).join('/') : path;
      return new ImapConnection(client, server.secure, limits, mailbox, {
        name,
        specialUse: specialUse ?? null,
      });
    } catch (error) {
      client.close();
      signal.throwIfAborted();
      throw describeImapError(error, stage, server.secure);
    } finally {
      clearTimeout(clock);
    }
  }

  /** UIDVALIDITY: with another value the same UID names another message. */
  get uidValidity(): string {
    return String(this.mailbox.uidValidity);
  }

  /** UIDs of the messages in the folder, from `from` on. */
  async uids(from: number): Promise<UidSet> {
    const watched = this.watch(UID_BYTES * this.mailbox.exists);
    let found: unknown;
    try {
      const options = { uid: true, returnOptions: ['ALL'] } as { uid: boolean };
      found = await this.client.search({ uid: `${from}:*` }, options);
    } catch (error) {
      throw this.failure(error);
    } finally {
      watched.end();
    }
    if (found === false) throw this.failure();
    const set = Array.isArray(found)
      ? UidSet.of(found as number[])
      : UidSet.parse((found as { all?: string }).all ?? '');
    // `n:*` names the last message even when its UID is smaller than n.
    const uids = set.between(from, Infinity);
    if (uids.size > this.mailbox.exists + ARRIVING) throw describeImapError(null, 'read', this.secure);
    return uids;
  }

  /** Descriptions of those messages that are still there, in the order of their UIDs. */
  async describe(uids: readonly number[]): Promise<ImapMessage[]> {
    const isGmail = this.client.capabilities.has('X-GM-EXT-1');
    const query: FetchQueryObject = {
      uid: true,
      size: true,
      flags: true,
      internalDate: true,
      ...(isGmail ? { labels: true, threadId: true } : {}),
    };
    const messages: ImapMessage[] = [];
    const bytes = DESCRIPTION_BYTES * uids.length;
    for await (const message of this.fetch(uids, query, bytes))
      messages.push(describedMessage(message, isGmail));
    return messages.sort((one, other) => one.uid - other.uid);
  }

  /**
   * Small messages (4 MiB at most, by their size as described) in one go; those that are gone are left out, and of those
   * that are larger than they were said to be it only says so.
   */
  async small(messages: readonly Sized[]): Promise<Map<number, Buffer | 'larger'>> {
    const sources = new Map<number, Buffer | 'larger'>();
    const uids = messages.map(({ uid }) => uid);
    const expected = messages.reduce((sum, { size }) => sum + DESCRIPTION_BYTES + size, 0);
    const query = { uid: true, source: { maxLength: PIECE + 1 } };
    let bytes = 0;
    for await (const { uid, source } of this.fetch(uids, query, expected)) {
      const raw = contentOf(source);
      if (raw === null) continue;
      bytes += raw.length;
      if (bytes > MAX_ANSWER && uids.length > 1) throw describeImapError(null, 'read', this.secure);
      sources.set(uid, raw.length > PIECE ? 'larger' : raw);
    }
    return sources;
  }

  /**
   * Reads a message of any size, piece by piece, at least up to the size that the server has stated if it hands out that much.
   * The whole message has to arrive within the time that the pace allows for its size.
   * @param maxBytes it is not read much further than that
   * @throws ImapFailure, MessageGone
   */
  async *pieces({ uid, size }: Sized, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
    const clock = setTimeout(() => this.tooSlow(), 2 * slowest(this.limits.pace, Math.max(size, PIECE)));
    try {
      let last = PIECE;
      for (let length = 0; ;) {
        const piece = await this.piece(uid, length);
        // Some servers answer with nothing behind the end.
        const mayBeEnd = length > 0 && (length >= size || last < PIECE);
        if (piece === null && !mayBeEnd) throw new MessageGone();
        if (piece === null || piece.length === 0) return;
        yield piece;
        length += piece.length;
        last = piece.length;
        if ((last < PIECE && length >= size) || length > maxBytes) return;
      }
    } finally {
      clearTimeout(clock);
    }
  }

  /** Closes at once, without logging out. */
  close(): void {
    this.client.close();
  }

  /** Logs out and closes. */
  async leave(): Promise<void> {
    const clock = setTimeout(() => this.client.close(), GOODBYE_MS);
    await this.client.logout().catch(() => undefined);
    clearTimeout(clock);
    this.client.close();
  }

  private async piece(uid: number, start: number): Promise<Buffer | null> {
    const query = { uid: true, source: { start, maxLength: PIECE } };
    for await (const { source } of this.fetch([uid], query, PIECE)) return contentOf(source);
    return null;
  }

  /** @param expected bytes of the answer, about */
  private async *fetch(
    uids: readonly number[],
    query: FetchQueryObject,
    expected: number,
  ): AsyncGenerator<FetchMessageObject, void, undefined> {
    if (uids.length === 0) return;
    const wanted = new Set(uids);
    const watched = this.watch(expected);
    try {
      for await (const message of this.client.fetch(UidSet.of(uids).toString(), query, { uid: true })) {
        // Servers may report other messages in between.
        if (message.uid && wanted.delete(message.uid)) yield message;
      }
    } catch (error) {
      throw this.failure(error);
    } finally {
      watched.end();
    }
    // A closed connection looks like a folder without these messages.
    if (!this.client.usable) throw this.failure();
  }

  /** Ends the connection when an answer comes too slowly, or takes too long, even while bytes come in. */
  private watch(expected: number): { end(): void } {
    const { pace, answerMs } = this.limits;
    const watch = new PaceWatch(pace, () => this.tooSlow());
    let seen = this.received;
    const poll = setInterval(() => {
      const { received } = this;
      watch.received(received - seen);
      seen = received;
    }, POLL_MS);
    const clock = setTimeout(() => this.tooSlow(), Math.max(answerMs, 2 * slowest(pace, expected)));
    watch.wait();
    return {
      end: () => {
        watch.rest();
        clearInterval(poll);
        clearTimeout(clock);
      },
    };
  }

  private get received(): number {
    return this.client.stats(false).received;
  }

  private tooSlow(): void {
    this.isSlow = true;
    this.client.close();
  }

  private failure(error: unknown = null): ImapFailure {
    if (this.isSlow) return new ImapFailure('imap-too-slow', TOO_SLOW);
    const reason = error ?? (this.client.usable ? null : { code: 'NoConnection' });
    return describeImapError(reason, 'read', this.secure);
  }
}

/** The answer for a message that has been expunged meanwhile (`BODY[] NIL`) is not a buffer. */
const contentOf = (source: unknown): Buffer | null => (Buffer.isBuffer(source) ? source : null);

/** Messages may arrive between the opening of a folder and its listing. */
const ARRIVING = 1_000_000;

/** Opens the folder by the server's name for it, else by its levels; never so that anything could be changed. */
async function openFolder(client: ImapFlow, folder: string): Promise<MailboxObject> {
  try {
    return await client.mailboxOpen(folder, { readOnly: true });
  } catch (error) {
    if (!client.usable || !folder.includes('/')) throw error;
    const folders = await client.list();
    const found = folders.find(
      ({ path, delimiter }) => delimiter && path.split(delimiter).join('/') === folder,
    );
    if (!found || found.path === folder) throw error;
    return client.mailboxOpen(found.path, { readOnly: true });
  }
}

function describedMessage(message: FetchMessageObject, isGmail: boolean): ImapMessage {
  const { uid, size, flags, labels, internalDate, threadId } = message;
  const date = internalDate === undefined ? null : new Date(internalDate);
  return {
    uid,
    size: size ?? 0,
    flags: marks(flags),
    labels: isGmail ? new Set([...marks(labels)].map(decodeModifiedUtf7)) : null,
    receivedAt: date && !Number.isNaN(date.getTime()) ? date : null,
    // The API writes in hex what IMAP writes in decimal.
    threadId: isGmail && /^\d{1,20}$/.test(threadId ?? '') ? BigInt(threadId as string).toString(16) : null,
  };
}

const marks = (found: ReadonlySet<string> | undefined): Set<string> =>
  new Set([...(found ?? [])].filter((mark) => mark.length <= MAX_MARK).slice(0, MAX_MARKS));
