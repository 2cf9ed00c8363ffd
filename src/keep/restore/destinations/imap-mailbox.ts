import type { ImapFlow, ListResponse, MailboxObject, SearchObject } from 'imapflow';
import { slowest } from '../../../platform/concurrency/pace-watch';
import { imapClient, type ImapServer, PIECE } from '../../../archive/imports/imap/imap-client';
import type { ImapTimings } from '../../../archive/imports/imap/imap-timings';
import { describeImapError, ImapFailure } from '../../../archive/imports/imap/imap.errors';
import { OutcomeUnknown } from '../../../providers/port/mail-provider.errors';
import { RefusedByDestination } from '../restore.errors';
import { delay as sleep, setTimeout } from '../../../platform/concurrency/timers';

const MIB = 1024 * 1024;
/** No mail server takes more. */
const MAX_MESSAGE = 150 * MIB;
/** Connections lost in a row after which the server is at fault. */
const MAX_LOSSES = 4;
const BACKOFF_MS = 500;
const GOODBYE_MS = 5_000;
/** A server that lists more folders, or finds more messages, is not to be held in memory. */
const MAX_FOLDERS = 20_000;
const MAX_FOUND = 50;

/** A message as it lies in a folder. */
export interface ImapHeld {
  readonly bytes: Buffer;
  readonly receivedAt: Date | null;
}

/** What a message is added with. */
export interface AppendedMarks {
  readonly flags: readonly string[];
  readonly keywords: readonly string[];
  readonly date: Date;
}

/** Where a message lies. */
export interface ImapPlace {
  readonly path: string;
  /** UIDVALIDITY: with another value the same UID names another message. */
  readonly uidValidity: string;
  readonly uid: number;
}

/**
 * The folders of a user on an IMAP server, for reading and adding messages; nothing is deleted or changed. Connects again when
 * a connection is lost. Every method throws `ImapFailure`.
 */
export class ImapMailbox {
  private client: ImapFlow | null = null;
  private folders: Map<string, ListResponse> | null = null;
  private readonly abort = (): void => this.client?.close();

  /** @param server resolves and checks the host anew for each connection */
  constructor(
    private readonly server: () => Promise<ImapServer>,
    private readonly limits: ImapTimings,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', this.abort, { once: true });
  }

  /** Between levels; empty when folders have none. */
  get delimiter(): string {
    return this.namespace.delimiter;
  }

  /** What the names of the user's own folders begin with. */
  get prefix(): string {
    return this.namespace.prefix;
  }

  /** Size of the largest message that the server takes (RFC 7889). */
  get maxBytes(): number {
    const limit = this.client?.capabilities.get('APPENDLIMIT');
    return typeof limit === 'number' ? Math.min(limit, MAX_MESSAGE) : MAX_MESSAGE;
  }

  /** Makes sure that host, login and TLS are right. */
  async connect(): Promise<void> {
    await this.connected();
  }

  /** By their paths. */
  async list(): Promise<ReadonlyMap<string, ListResponse>> {
    this.folders ??= await this.reading(async (client) => {
      const folders = (await client.list()).slice(0, MAX_FOLDERS);
      return new Map(folders.map((folder) => [folder.path, folder]));
    });
    return this.folders;
  }

  /** Makes a folder unless there is one. */
  async ensureFolder(path: string): Promise<void> {
    if (path === 'INBOX' || (await this.list()).has(path)) return;
    try {
      await this.reading((client) => client.mailboxCreate(path));
    } catch (error) {
      if (isRefusal(error)) throw new RefusedByDestination('message-refused', error);
      throw error;
    }
    this.folders = null;
  }

  /**
   * Messages of a folder.
   * @returns null when there is no such folder; `MAX_FOUND` of them at most, the newest
   */
  async search(path: string, query: SearchObject): Promise<ImapPlace[] | null> {
    if (path !== 'INBOX' && !(await this.list()).has(path)) return null;
    return this.reading(async (client) => {
      const { uidValidity } = await opened(client, path);
      const uids = (await client.search(query, { uid: true })) || [];
      return uids.slice(-MAX_FOUND).map((uid) => ({ path, uidValidity: String(uidValidity), uid }));
    });
  }

  /** @returns null when it is gone */
  async read({ path, uidValidity, uid }: ImapPlace, expectedBytes: number): Promise<ImapHeld | null> {
    if (path !== 'INBOX' && !(await this.list()).has(path)) return null;
    return this.reading(async (client) => {
      const folder = await opened(client, path);
      if (String(folder.uidValidity) !== uidValidity) return null;
      return readPieces(client, uid);
    }, expectedBytes);
  }

  /**
   * Adds a message, with its date and flags, and with those keywords that the folder can keep.
   * @param fence asked immediately before the message is sent
   * @throws RefusedByDestination when the server does not take this message; OutcomeUnknown when its answer was lost
   */
  async append(
    path: string,
    bytes: Buffer,
    { flags, keywords, date }: AppendedMarks,
    fence: () => void,
  ): Promise<ImapPlace | null> {
    const client = await this.connected();
    // Which flags the folder can keep is known of the folder that is open.
    const folder = await this.timed(client, 0, () => opened(client, path));
    const kept = keywords.filter((keyword) => keepsKeyword(folder, keyword));
    fence();
    try {
      const answer = await this.timed(client, bytes.length, () =>
        client.append(path, bytes, [...flags, ...kept], date),
      );
      if (!answer) throw new OutcomeUnknown();
      return answer.uid
        ? { path, uidValidity: String(answer.uidValidity ?? folder.uidValidity), uid: answer.uid }
        : null;
    } catch (error) {
      throw this.appendFailure(client, error);
    }
  }

  async close(): Promise<void> {
    this.signal.removeEventListener('abort', this.abort);
    const { client } = this;
    this.client = null;
    if (!client) return;
    const clock = setTimeout(() => client.close(), GOODBYE_MS);
    await client.logout().catch(() => undefined);
    clearTimeout(clock);
    client.close();
  }

  /** The user's own namespace (RFC 2342), which the client keeps without declaring it. */
  private get namespace(): { readonly prefix: string; readonly delimiter: string } {
    const found: unknown = this.client && Reflect.get(this.client, 'namespace');
    const { prefix, delimiter } = (found ?? {}) as {
      readonly prefix?: unknown;
      readonly delimiter?: unknown;
    };
    return {
      prefix: typeof prefix === 'string' ? prefix : '',
      delimiter: typeof delimiter === 'string' ? delimiter : '',
    };
  }

  private async connected(): Promise<ImapFlow> {
    if (this.client?.usable) return this.client;
    this.client = null;
    this.signal.throwIfAborted();
    const server = await this.server();
    const client = imapClient(server, this.limits);
    this.client = client;
    const clock = setTimeout(() => client.close(), this.limits.openMs);
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.close();
      this.signal.throwIfAborted();
      throw describeImapError(error, 'connect', server.secure);
    } finally {
      clearTimeout(clock);
    }
  }

  /** Work that may be done again, on another connection when one is lost. */
  private async reading<T>(work: (client: ImapFlow) => Promise<T>, bytes = 0): Promise<T> {
    for (let losses = 1; ; losses++) {
      try {
        const client = await this.connected();
        return await this.timed(client, bytes, () => work(client));
      } catch (error) {
        this.signal.throwIfAborted();
        if (isRefusal(error)) throw error;
        const failure = describeImapError(error, 'read', false);
        if (!failure.mayPass || losses >= MAX_LOSSES) throw failure;
        await sleep(BACKOFF_MS * 2 ** (losses - 1), undefined, { signal: this.signal });
      }
    }
  }

  /** Ends the connection when an answer takes too long, even while bytes come in. */
  private async timed<T>(client: ImapFlow, bytes: number, work: () => Promise<T>): Promise<T> {
    const { pace, answerMs } = this.limits;
    const longest = Math.max(answerMs, 2 * slowest(pace, bytes));
    const clock = setTimeout(() => client.close(), longest);
    try {
      return await work();
    } finally {
      clearTimeout(clock);
    }
  }

  private appendFailure(client: ImapFlow, error: unknown): unknown {
    this.signal.throwIfAborted();
    if (error instanceof OutcomeUnknown) return error;
    const { serverResponseCode } = (error ?? {}) as ImapError;
    const code = typeof serverResponseCode === 'string' ? serverResponseCode.toUpperCase() : '';
    if (code === 'OVERQUOTA') return new ImapFailure('imap-over-quota', OVER_QUOTA);
    if (code === 'APPENDLIMIT' || code === 'TOOBIG')
      return new RefusedByDestination('message-too-large', error);
    if (isRefusal(error)) {
      const failure = describeImapError(error, 'read', false);
      return failure.mayPass ? failure : new RefusedByDestination('message-refused', error);
    }
    // The connection may have broken after the last byte was taken.
    client.close();
    return new OutcomeUnknown(error);
  }
}

const OVER_QUOTA = 'The mailbox on the server is full.';

interface ImapError {
  readonly responseStatus?: unknown;
  readonly serverResponseCode?: unknown;
}

/** The server has answered, and it was no. */
function isRefusal(error: unknown): boolean {
  const { responseStatus } = (error ?? {}) as ImapError;
  return responseStatus === 'NO' || responseStatus === 'BAD';
}

function keepsKeyword({ permanentFlags }: MailboxObject, keyword: string): boolean {
  if (!permanentFlags || permanentFlags.has('\\*')) return true;
  return [...permanentFlags].some((flag) => flag.toLowerCase() === keyword.toLowerCase());
}

/** For adding as well: of a folder opened for reading only, servers say that it keeps no flags. */
async function opened(client: ImapFlow, path: string): Promise<MailboxObject> {
  const { mailbox } = client;
  if (mailbox && mailbox.path === path && !mailbox.readOnly) return mailbox;
  return client.mailboxOpen(path);
}

async function readPieces(client: ImapFlow, uid: number): Promise<ImapHeld | null> {
  const pieces: Buffer[] = [];
  let receivedAt: Date | null = null;
  for (let start = 0; ;) {
    const query = { uid: true, internalDate: true, source: { start, maxLength: PIECE } };
    const found = await client.fetchOne(String(uid), query, { uid: true });
    const source: unknown = found ? found.source : null;
    // The answer for a message that was expunged before the fetch (`BODY[] NIL`) is not a buffer.
    if (!found || !Buffer.isBuffer(source)) {
      if (!client.usable) throw Object.assign(new Error('The connection was lost'), { code: 'NoConnection' });
      return null;
    }
    receivedAt = found.internalDate ? new Date(found.internalDate) : null;
    pieces.push(source);
    start += source.length;
    if (source.length < PIECE || start > MAX_MESSAGE + PIECE) break;
  }
  return { bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), receivedAt };
}
