import { longestTransferMs } from '../../../platform/concurrency/pace-watch';
import { setTimeout } from '../../../platform/concurrency/timers';
import {
  describeCommandFailure,
  ImapServerFailure,
} from '../../../providers/imap/one-time/imap-server-failure';
import type { OneTimeLimits } from '../../../providers/imap/one-time/one-time-limits';
import { type ListedMessage, PIECE_BYTES } from '../../../providers/imap/session/imap-fetches';
import { type ImapSession, type ListedFolder } from '../../../providers/imap/session/imap-session';
import type { UidSet } from '../../../providers/imap/session/uid-set';
import type { ImapFolderName, ImapMarks } from './imap-labels';
import { StatedSizes } from './stated-sizes';

const MIB = 1024 * 1024;

/** A message as the server describes it. */
export interface ImapMessage extends ImapMarks {
  readonly uid: number;
  /** Size in bytes that the server states. */
  readonly size: number;
  readonly receivedAt: Date | null;
  /** Id of Gmail's conversation, in the form of its API; null from every other server. */
  readonly threadId: string | null;
}

type Sized = Pick<ImapMessage, 'uid' | 'size'>;

/** Bytes allowed for the description of a message, besides the message itself. */
const DESCRIPTION_BYTES = 1_024;
/** Limit for the small messages of one answer, a multiple of their stated sizes: a server that sends more lies. */
const MAX_ANSWER = 24 * MIB;
/** Limits for the flags and labels of a message, and for the characters of each; further ones are ignored. */
const MAX_MARKS = 200;
const MAX_MARK = 255;
/** Allowance for messages that arrive between the opening of a folder and its listing. */
const ARRIVING = 1_000_000;

/** Attributes of special uses (RFC 6154). */
const SPECIAL_USES: ReadonlySet<string> = new Set([
  '\\all', '\\archive', '\\drafts', '\\flagged', '\\junk', '\\sent', '\\trash',
]); // prettier-ignore

/** The message has been deleted since it was described. */
export class MessageGone extends Error {}

/**
 * One folder of an IMAP server, open for reading only: nothing on the server changes, no message becomes read. Every
 * method throws `ImapServerFailure`; a command that is under way when `close` is called fails at once.
 */
export class ImportedFolder {
  /** Sizes of the messages that were read over this connection. */
  readonly statedSizes = new StatedSizes();
  private isSlow = false;

  private constructor(
    private readonly session: ImapSession,
    private readonly limits: OneTimeLimits,
    readonly name: ImapFolderName,
    /** UIDVALIDITY: with another value the same UID names another message. */
    readonly uidValidity: string,
    private readonly exists: number,
  ) {}

  /**
   * Opens a folder; the session ends with it.
   * @param path the server's name of the folder, or its name with `/` between levels
   */
  static async open(session: ImapSession, path: string, limits: OneTimeLimits): Promise<ImportedFolder> {
    try {
      const listed = (await session.list({ withFigures: false })).filter(({ problem }) => !problem);
      const found =
        listed.find((folder) => folder.path === path) ?? listed.find((folder) => levelsOf(folder) === path);
      const { uidValidity, exists } = await session.examine(found?.path ?? path);
      const specialUse = found?.attributes.find((attribute) => SPECIAL_USES.has(attribute)) ?? null;
      const name = { name: found ? levelsOf(found) : path, specialUse };
      return new ImportedFolder(session, limits, name, String(uidValidity), exists);
    } catch (error) {
      session.close();
      throw describeCommandFailure(error);
    }
  }

  /** UIDs of the messages in the folder, from `from` on. */
  listUids(from: number): Promise<UidSet> {
    return this.convertErrors(() => this.session.listUidsFrom(from, this.exists + ARRIVING));
  }

  /** Descriptions of those messages that are still there, in the order of their UIDs. */
  async describe(uids: readonly number[]): Promise<ImapMessage[]> {
    const messages = await this.convertErrors(() => this.session.fetches.list(uids));
    return messages.map(messageOf);
  }

  /**
   * Reads small messages (at most 4 MiB by their stated size) in one request. Messages that are gone are left out; `larger`
   * stands for those that are larger than stated.
   */
  async readSmall(messages: readonly Sized[]): Promise<Map<number, Buffer | 'larger'>> {
    if (messages.length === 0) return new Map();
    const uids = messages.map(({ uid }) => uid);
    const expected = messages.reduce((sum, { size }) => sum + DESCRIPTION_BYTES + size, 0);
    // A single message may have any size: the answer has only its beginning.
    const most = uids.length > 1 ? MAX_ANSWER : Infinity;
    const found = await this.convertErrors(() => this.session.fetches.fetchBodies(uids, expected, most));
    return new Map(
      [...found].map(([uid, { bytes }]) => [uid, bytes.length > PIECE_BYTES ? 'larger' : bytes]),
    );
  }

  /**
   * Reads a message of any size, piece by piece, at least up to the size that the server has stated if it hands out that much.
   * The whole message has to arrive within the time that the pace allows for its size.
   * @param maxBytes size after which the reading ends
   * @throws ImapServerFailure, MessageGone
   */
  async *readPieces({ uid, size }: Sized, maxBytes: number): AsyncGenerator<Buffer, void, undefined> {
    const longest = 2 * longestTransferMs(this.limits.pace, Math.max(size, PIECE_BYTES));
    const clock = setTimeout(() => {
      this.isSlow = true;
      this.close();
    }, longest);
    try {
      let last = PIECE_BYTES;
      for (let length = 0; ;) {
        const start = length;
        const piece = await this.convertErrors(() => this.session.fetches.fetchPiece(uid, start));
        // Some servers answer without a piece behind the end.
        const mayBeEnd = length > 0 && (length >= size || last < PIECE_BYTES);
        if (piece === null && !mayBeEnd) throw new MessageGone();
        if (piece === null || piece.bytes.length === 0) return;
        yield piece.bytes;
        length += piece.bytes.length;
        last = piece.bytes.length;
        if ((last < PIECE_BYTES && length >= size) || length > maxBytes) return;
      }
    } finally {
      clearTimeout(clock);
    }
  }

  /** Closes at once, without logging out. */
  close(): void {
    this.session.close();
  }

  /** Logs out and closes. */
  leave(): Promise<void> {
    return this.session.logout();
  }

  private async convertErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.isSlow ? new ImapServerFailure('imap-too-slow') : describeCommandFailure(error);
    }
  }
}

/** The name of a folder with `/` between its levels. */
const levelsOf = ({ path, delimiter }: ListedFolder): string =>
  delimiter ? path.split(delimiter).join('/') : path;

const messageOf = ({ uid, size, flags, labels, receivedAt, threadId }: ListedMessage): ImapMessage => ({
  uid,
  size,
  receivedAt,
  threadId,
  flags: marksOf(flags),
  labels: labels && marksOf(labels),
});

const marksOf = (found: readonly string[]): Set<string> =>
  new Set(found.filter((mark) => mark.length <= MAX_MARK).slice(0, MAX_MARKS));
