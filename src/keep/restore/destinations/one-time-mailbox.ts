import { delay as sleep, setTimeout } from '../../../platform/concurrency/timers';
import {
  describeCommandFailure,
  ImapServerFailure,
  isAnswered,
  refusalReason,
} from '../../../providers/imap/one-time/imap-server-failure';
import { OutcomeUnknown } from '../../../providers/port/mail-provider.errors';
import type { Argument } from '../../../providers/imap/session/imap-commands';
import { PIECE_BYTES } from '../../../providers/imap/session/imap-fetches';
import type { ImapSession, ListedFolder, OpenFolder } from '../../../providers/imap/session/imap-session';
import { RefusedByDestination } from '../restore.errors';

const MIB = 1024 * 1024;
/** Largest message in bytes: no mail server takes a larger one. */
const MAX_MESSAGE = 150 * MIB;
/** Connections lost in a row after which the restore reports the server as failing. */
const MAX_LOSSES = 4;
const BACKOFF_MS = 500;
const GOODBYE_MS = 5_000;
/** Largest number of messages of a search that are read; the newest are read. */
const MAX_FOUND = 50;
/** Slack in sequence numbers for messages that arrive between the opening of a folder and a search. */
const ARRIVING = 1_000_000;

/** A message in a folder. */
export interface ImapHeld {
  readonly bytes: Buffer;
  readonly receivedAt: Date | null;
}

/** Flags, keywords and the date of a message that is added. */
export interface AppendedMarks {
  readonly flags: readonly string[];
  readonly keywords: readonly string[];
  readonly date: Date;
}

/** Location of a message. */
export interface ImapPlace {
  readonly path: string;
  /** UIDVALIDITY of the folder: with another value the same UID names another message. */
  readonly uidValidity: string;
  readonly uid: number;
}

/**
 * The folders of a user on an IMAP server, for reading and adding messages; nothing is deleted or changed. Connects again when
 * a connection is lost. Every method throws `ImapServerFailure`.
 */
export class OneTimeMailbox {
  private session: ImapSession | null = null;
  private folders: ReadonlyMap<string, ListedFolder> | null = null;

  /** @param open connects and logs in; it checks the host each time */
  constructor(
    private readonly open: () => Promise<ImapSession>,
    private readonly signal: AbortSignal,
  ) {}

  /** Separator between levels; empty when folders have none. */
  get delimiter(): string {
    return this.session?.namespace.delimiter ?? '';
  }

  /** Prefix of the names of the user's own folders. */
  get prefix(): string {
    return this.session?.namespace.prefix ?? '';
  }

  /** Size of the largest message that the server takes. */
  get maxBytes(): number {
    return Math.min(this.session?.appendLimit ?? MAX_MESSAGE, MAX_MESSAGE);
  }

  /** Checks that host, login and TLS are right. */
  async connect(): Promise<void> {
    await this.ensureConnected();
  }

  /** Folders by path, without those that no command can name. */
  async list(): Promise<ReadonlyMap<string, ListedFolder>> {
    this.folders ??= await this.retryReading(async (session) => {
      const folders = await session.list({ withFigures: false });
      return new Map(folders.filter(({ problem }) => !problem).map((folder) => [folder.path, folder]));
    });
    return this.folders;
  }

  /** Creates a folder unless there is one. @throws RefusedByDestination when the server does not create it */
  async ensureFolder(path: string): Promise<void> {
    if (path === 'INBOX' || (await this.list()).has(path)) return;
    await this.retryReading(async (session) => {
      try {
        await session.create(path);
      } catch (error) {
        const reason = refusalReason(error);
        if (reason === null) throw error;
        if (reason !== 'alreadyexists') throw new RefusedByDestination('message-refused', error);
      }
      await session.subscribe(path).catch((error: unknown) => {
        // Some readers do not show a folder without a subscription; the mail is there all the same.
        if (refusalReason(error) === null) throw error;
      });
    });
    this.folders = null;
  }

  /**
   * Messages of a folder that match.
   * @returns the newest `MAX_FOUND` at most; null when there is no such folder
   */
  async search(path: string, criteria: readonly Argument[]): Promise<ImapPlace[] | null> {
    if (path !== 'INBOX' && !(await this.list()).has(path)) return null;
    return this.retryReading(async (session) => {
      const { uidValidity, exists } = await openFolderOf(session, path);
      const uids = await session.search(criteria, exists + ARRIVING);
      return uids.slice(-MAX_FOUND).map((uid) => ({ path, uidValidity: String(uidValidity), uid }));
    });
  }

  /** @returns the message; null when it is gone */
  async read({ path, uidValidity, uid }: ImapPlace): Promise<ImapHeld | null> {
    if (path !== 'INBOX' && !(await this.list()).has(path)) return null;
    return this.retryReading(async (session) => {
      const folder = await openFolderOf(session, path);
      return String(folder.uidValidity) === uidValidity ? readPieces(session, uid) : null;
    });
  }

  /**
   * Adds a message, with its date and flags, and with those keywords that the folder can keep.
   * @param fence called immediately before the message is sent; throws to prevent it
   * @returns null when the server does not return the location of the message
   * @throws RefusedByDestination when the server does not take this message; OutcomeUnknown when its answer was lost
   */
  async append(
    path: string,
    bytes: Buffer,
    { flags, keywords, date }: AppendedMarks,
    fence: () => void,
  ): Promise<ImapPlace | null> {
    const session = await this.ensureConnected();
    const kept = await this.selectKept(session, path, keywords);
    fence();
    try {
      const added = await session.append(path, bytes, [...flags, ...kept], date);
      return added && { path, uidValidity: String(added.uidValidity), uid: added.uid };
    } catch (error) {
      throw this.describeAppendFailure(session, error);
    }
  }

  async close(): Promise<void> {
    const { session } = this;
    this.session = null;
    if (!session) return;
    const clock = setTimeout(() => session.close(), GOODBYE_MS);
    await session.logout();
    clearTimeout(clock);
    session.close();
  }

  /** Keywords that the folder can keep. Servers report this for the folder that is open. */
  private async selectKept(
    session: ImapSession,
    path: string,
    keywords: readonly string[],
  ): Promise<string[]> {
    try {
      await openFolderOf(session, path);
    } catch (error) {
      throw describeCommandFailure(error);
    }
    return keywords.filter((keyword) => session.keeps(keyword));
  }

  private async ensureConnected(): Promise<ImapSession> {
    if (this.session?.usable) return this.session;
    this.session = null;
    this.session = await this.open();
    return this.session;
  }

  /** Runs work that can be repeated, with a new connection after one is lost. */
  private async retryReading<T>(work: (session: ImapSession) => Promise<T>): Promise<T> {
    for (let losses = 1; ; losses++) {
      try {
        return await work(await this.ensureConnected());
      } catch (error) {
        const failure = describeCommandFailure(error);
        if (!(failure instanceof ImapServerFailure) || !failure.mayPass || losses >= MAX_LOSSES)
          throw failure;
        await sleep(BACKOFF_MS * 2 ** (losses - 1), undefined, { signal: this.signal });
      }
    }
  }

  private describeAppendFailure(session: ImapSession, error: unknown): unknown {
    this.signal.throwIfAborted();
    const reason = refusalReason(error);
    if (reason === 'overquota') return new ImapServerFailure('imap-over-quota');
    if (reason !== null)
      return new RefusedByDestination(reason === 'toobig' ? 'message-too-large' : 'message-refused', error);
    if (isAnswered(error)) return describeCommandFailure(error);
    // The connection may have broken after the last byte was taken.
    session.close();
    return new OutcomeUnknown(error);
  }
}

/** Opens a folder for reading and writing: servers say of a folder opened for reading only that it keeps no flags. */
async function openFolderOf(session: ImapSession, path: string): Promise<OpenFolder> {
  const { openFolder } = session;
  if (openFolder?.path === path) return openFolder;
  const { folder } = await session.open(path);
  return folder;
}

async function readPieces(session: ImapSession, uid: number): Promise<ImapHeld | null> {
  const pieces: Buffer[] = [];
  let receivedAt: Date | null = null;
  for (let start = 0; ;) {
    const piece = await session.fetches.fetchDatedPiece(uid, start);
    // The message was expunged before the fetch (`BODY[] NIL`).
    if (piece === null) return null;
    receivedAt = piece.receivedAt;
    pieces.push(piece.bytes);
    start += piece.bytes.length;
    if (piece.bytes.length < PIECE_BYTES || start > MAX_MESSAGE + PIECE_BYTES) break;
  }
  return { bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), receivedAt };
}
