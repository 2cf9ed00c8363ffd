import type { ImapFlow } from 'imapflow';
import { MailboxAnswers } from './mailbox-answers';
import { decodeModifiedUtf7, encodeModifiedUtf7 } from './mailbox-name';
import {
  bigNumberOf,
  dateTime,
  fetchItems,
  flagsOf,
  isList,
  numberOf,
  orderedUids,
  pairsOf,
  responseCode,
  textOf,
  type TokenList,
  type UntaggedAnswer,
} from './imap-answers';
import { type AnswerLimits, type Argument, atom, atoms, ImapCommands, sequence } from './imap-commands';
import { commandSets, ImapFetches } from './imap-fetches';
import { UidSet } from './uid-set';
import { isSystemLabel } from '../messages/gmail-label-names';
import { ProviderFailure } from '../../gateway/provider-call';
import { LabelNotFound } from '../../port/mail-provider.errors';
import type { FolderProblem } from '../store/imap-index.entity';

const MAX_FOLDERS = 10_000;
const MAX_PATH = 1_000;
/** Characters shown of a name that cannot be used. */
const MAX_SHOWN = 200;
/** Bytes of an answer with the flags of one message. */
const FLAGS_BYTES = 512;

export interface FolderStatus {
  readonly messages: number;
  readonly uidNext: number;
  readonly uidValidity: number;
  readonly unseen: number;
  /** HIGHESTMODSEQ (RFC 7162); null where the server keeps none. */
  readonly modseq: string | null;
}

export interface ListedFolder {
  /** Decoded path, with levels separated by the delimiter. */
  readonly path: string;
  readonly delimiter: string | null;
  /** Attributes in lower case, e.g. `\sent`. */
  readonly attributes: readonly string[];
  readonly status: FolderStatus | null;
  /**
   * Whether the folder was open meanwhile. Then its status is null, since servers may only repeat what they have
   * already reported (RFC 3501 §6.3.10).
   */
  readonly isOpen?: boolean;
  /** Reason for which the folder cannot be read at all. Its path is then only for display. */
  readonly problem?: FolderProblem;
}

export interface OpenFolder {
  readonly path: string;
  readonly uidValidity: number;
  /** UIDNEXT; 0 when the server does not say. */
  readonly uidNext: number;
  readonly exists: number;
  readonly modseq: string | null;
  /** Flags that the server keeps; null when it does not say, which means all (RFC 3501 §7.1). */
  readonly permanentFlags: readonly string[] | null;
  readonly isReadOnly: boolean;
}

/** Changes of a folder that QRESYNC reported (RFC 7162 §3.2.5). */
export interface Resync {
  readonly vanished: readonly string[];
  readonly flags: ReadonlyMap<number, readonly string[]>;
}

/** Pairs of the UIDs of originals and copies; null when the server named none. */
export type CopiedUids = {
  readonly uidValidity: number;
  readonly pairs: readonly (readonly [number, number])[];
} | null;

/** The folder does not exist or cannot be opened. */
export class FolderMissing extends Error {}

/** A logged-in connection to an IMAP server. It has only the commands that Mailroom's promises allow. */
export class ImapSession {
  readonly commands: ImapCommands;
  /** Reads messages of the folder that is open. */
  readonly fetches: ImapFetches;
  private readonly mailboxAnswers: MailboxAnswers;
  private opened: OpenFolder | null = null;
  private enabled: Promise<unknown> | null = null;

  constructor(
    private readonly client: ImapFlow,
    /** Extensions of this server that must not be used because they lose mail. */
    private readonly distrusted: ReadonlySet<string> = new Set(),
    /** Whether messages have Gmail's ids and labels (X-GM-EXT-1). */
    private readonly gmailLabels = false,
    /** Limits of answers; null: those of connected mailboxes. */
    limits: AnswerLimits | null = null,
  ) {
    this.commands = new ImapCommands(client, limits);
    this.mailboxAnswers = new MailboxAnswers(client);
    this.fetches = new ImapFetches(this.commands, gmailLabels ? (sent) => this.readName(sent) : null);
  }

  get usable(): boolean {
    return this.commands.usable;
  }

  /** Whether the server offers an extension that is trusted. */
  has(capability: string): boolean {
    return this.client.capabilities.has(capability) && !this.distrusted.has(capability);
  }

  /** Whether the server says that it is Dovecot (RFC 2971). */
  get isDovecot(): boolean {
    return /^dovecot/i.test(String(this.client.serverInfo?.name ?? ''));
  }

  /**
   * Reads the paths of the folders in which the messages with these numbers lie, as Dovecot reports them; null where it
   * does not.
   */
  fetchHomesByNumber(from: number, to: number): Promise<(string | null)[]> {
    return this.homes('FETCH', from, to);
  }

  /** Reads the same paths for the existing messages with UIDs from `from` to `to`. */
  fetchHomesByUid(from: number, to: number): Promise<(string | null)[]> {
    return this.homes('UID FETCH', from, to);
  }

  /** The open folder, with the figures from its opening; null when none is open. */
  get openFolder(): OpenFolder | null {
    return this.opened;
  }

  /** Whether the folder is the open one. */
  isOpen(path: string): boolean {
    return this.opened?.path === path;
  }

  /** The user's personal namespace (RFC 2342), which the client's types do not declare; empty texts when there is none. */
  get namespace(): { readonly prefix: string; readonly delimiter: string } {
    const found = Reflect.get(this.client, 'namespace') as Record<string, unknown> | null | undefined;
    const [prefix, delimiter] = [found?.['prefix'], found?.['delimiter']].map((value) =>
      typeof value === 'string' ? value : '',
    );
    return { prefix: prefix as string, delimiter: delimiter as string };
  }

  /** Size of the largest message that the server accepts (RFC 7889), in bytes; null when it does not say. */
  get appendLimit(): number | null {
    const limit = this.client.capabilities.get('APPENDLIMIT');
    return typeof limit === 'number' ? limit : null;
  }

  get capabilities(): string[] {
    return [...this.client.capabilities.keys()].filter((name) => !this.distrusted.has(name)).sort();
  }

  guard(signal: AbortSignal | undefined): void {
    this.commands.guard(signal);
  }

  close(): void {
    this.commands.close();
  }

  async logout(): Promise<void> {
    await this.client.logout().catch(() => this.close());
  }

  /**
   * Lists all folders, with their figures in the same command where the server supports that (RFC 5819). Folders whose
   * names cannot be used are listed with their problem.
   */
  async list({ withFigures = true } = {}): Promise<ListedFolder[]> {
    const items = [
      'MESSAGES',
      'UIDNEXT',
      'UIDVALIDITY',
      'UNSEEN',
      ...(this.has('CONDSTORE') ? ['HIGHESTMODSEQ'] : []),
    ];
    const isExtended = this.has('LIST-EXTENDED') || this.has('LIST-STATUS');
    const options: Argument[] = [];
    if (isExtended && this.has('SPECIAL-USE')) options.push(atom('SPECIAL-USE'));
    if (withFigures && this.has('LIST-STATUS')) options.push(atom('STATUS'), atoms(items));
    const folders = new Map<string, Omit<ListedFolder, 'status'>>();
    const figures = new Map<string, FolderStatus>();
    let isCut = false;
    this.mailboxAnswers.takeUnread();
    await this.commands.send('LIST', ['', '*', ...(options.length > 0 ? [atom('RETURN'), options] : [])], {
      bytes: 1024 * 1024,
      untagged: {
        LIST: (answer) => {
          this.mailboxAnswers.markRead();
          const folder = this.folderOf(answer);
          if (folders.size >= MAX_FOLDERS) isCut = true;
          else if (!folder.problem || !folders.has(folder.path)) folders.set(folder.path, folder);
        },
        STATUS: (answer) => {
          this.mailboxAnswers.markRead();
          const [path, found] = this.statusOf(answer);
          if (found) figures.set(path, found);
        },
      },
    });
    for (const line of this.mailboxAnswers.takeUnread()) {
      const name = /^\* LIST (.*)$/i.exec(line)?.[1];
      // Figures that cannot be read are requested again for that folder alone.
      if (name !== undefined) folders.set(toDisplayName(name), unusable(name, 'name'));
    }
    if (isCut) folders.set('…', unusable('…', 'limit'));
    const open = this.opened?.path;
    return [...folders.values()].map((folder) => {
      const isOpen = folder.path === open;
      return { ...folder, status: isOpen ? null : (figures.get(folder.path) ?? null), isOpen };
    });
  }

  /** @returns null when the server's answer has no figures. @throws FolderMissing */
  async status(path: string): Promise<FolderStatus | null> {
    const items = [
      'MESSAGES',
      'UIDNEXT',
      'UIDVALIDITY',
      'UNSEEN',
      ...(this.has('CONDSTORE') ? ['HIGHESTMODSEQ'] : []),
    ];
    let found: FolderStatus | null = null;
    await this.translateRefusal(path, () =>
      this.commands.send('STATUS', [this.mailboxName(path), atoms(items)], {
        untagged: {
          STATUS: (answer) => {
            found = this.statusOf(answer)[1];
          },
        },
      }),
    );
    return found;
  }

  /**
   * Opens a folder, again if it is open, so that its figures are current.
   * @param known the known state of the folder, for servers with QRESYNC
   * @throws FolderMissing
   */
  async open(
    path: string,
    known?: { readonly uidValidity: number; readonly modseq: string },
  ): Promise<{ readonly folder: OpenFolder; readonly resync: Resync | null }> {
    return this.select('SELECT', path, known);
  }

  /** Opens a folder for reading only: nothing on the server changes, `\Recent` included. @throws FolderMissing */
  async examine(path: string): Promise<OpenFolder> {
    const { folder } = await this.select('EXAMINE', path);
    return folder;
  }

  private async select(
    command: 'SELECT' | 'EXAMINE',
    path: string,
    known?: { readonly uidValidity: number; readonly modseq: string },
  ): Promise<{ readonly folder: OpenFolder; readonly resync: Resync | null }> {
    // QRESYNC does not report changed labels.
    const useResync = known !== undefined && !this.gmailLabels && (await this.enableResync());
    const state = {
      exists: 0,
      uidValidity: 0,
      uidNext: 0,
      modseq: null as string | null,
      permanentFlags: null as string[] | null,
    };
    const vanished: string[] = [];
    const flags = new Map<number, readonly string[]>();
    const parameters: Argument[] = useResync
      ? [[atom('QRESYNC'), [atom(String(known.uidValidity)), atom(known.modseq)]]]
      : this.has('CONDSTORE')
        ? [atoms(['CONDSTORE'])]
        : [];
    this.opened = null;
    const answer = await this.translateRefusal(path, () =>
      this.commands.send(command, [this.mailboxName(path), ...parameters], {
        bytes: 16 * 1024 * 1024,
        untagged: {
          OK: (untagged) => {
            const [code, value] = responseCode(untagged);
            const number = typeof value === 'string' && /^\d{1,20}$/.test(value) ? value : null;
            if (code === 'PERMANENTFLAGS' && Array.isArray(value))
              state.permanentFlags = flagsOf(value as TokenList);
            if (number === null) return;
            if (code === 'UIDVALIDITY') state.uidValidity = Number(number);
            if (code === 'UIDNEXT') state.uidNext = Number(number);
            if (code === 'HIGHESTMODSEQ') state.modseq = number;
          },
          EXISTS: (untagged) => {
            state.exists = Number(untagged.command);
          },
          FLAGS: () => undefined,
          RECENT: () => undefined,
          FETCH: (untagged) => {
            const items = fetchItems(untagged);
            const uid = numberOf(items.get('UID'));
            if (uid !== null && items.has('FLAGS')) flags.set(uid, flagsOf(items.get('FLAGS')));
          },
          VANISHED: ({ attributes = [] }) => {
            const set = textOf(attributes.at(-1));
            if (set !== null) vanished.push(set);
          },
        },
      }),
    );
    if (state.uidValidity < 1) this.commands.distrust(`${command} without UIDVALIDITY`);
    const folder: OpenFolder = { path, ...state, isReadOnly: responseCode(answer)[0] === 'READ-ONLY' };
    this.opened = folder;
    const isSame = useResync && known.uidValidity === state.uidValidity;
    return { folder, resync: isSame ? { vanished, flags } : null };
  }

  /**
   * Opens a folder unless it is open, and checks its UIDVALIDITY.
   * @throws FolderMissing when the folder is gone or has another UIDVALIDITY
   */
  async enter(path: string, uidValidity: number): Promise<void> {
    if (this.opened?.path !== path) await this.open(path);
    if (this.opened?.uidValidity !== uidValidity) throw new FolderMissing('UIDVALIDITY has changed');
  }

  /** Finds the matching UIDs of the open folder, in ascending order. */
  async search(criteria: readonly Argument[], mostUids: number): Promise<number[]> {
    const found = new Set<number>();
    await this.runSearch(criteria, mostUids, (set) => {
      const uids = orderedUids(set, mostUids - found.size + 1);
      if (uids === null) this.commands.distrust('SEARCH found more messages than there are');
      else for (const uid of uids) found.add(uid);
    });
    return [...found].sort((one, other) => one - other);
  }

  /**
   * Finds the UIDs of the open folder from `from` on. As ranges, even a million UIDs need little memory.
   * @param mostUids number of UIDs beyond which the connection is distrusted
   */
  async listUidsFrom(from: number, mostUids: number): Promise<UidSet> {
    const sets: string[] = [];
    await this.runSearch([atom('UID'), sequence(`${from}:*`)], this.opened?.exists ?? 0, (set) =>
      sets.push(set),
    );
    // `n:*` names the last message even when its UID is smaller than n.
    const uids = UidSet.parse(sets.join(',')).restrictTo(from, Infinity);
    if (uids.size > mostUids) this.commands.distrust('SEARCH found more messages than there are');
    return uids;
  }

  /** @param onSet called with each set of UIDs of the answer */
  private async runSearch(
    criteria: readonly Argument[],
    expected: number,
    onSet: (set: string) => void,
  ): Promise<void> {
    const isExtended = this.has('ESEARCH');
    const returned: Argument[] = isExtended ? [atom('RETURN'), atoms(['ALL'])] : [];
    const charset: Argument[] = this.client.enabled.has('UTF8=ACCEPT')
      ? []
      : [atom('CHARSET'), atom('UTF-8')];
    const needsCharset = hasBytes(criteria);
    await this.commands.send('UID SEARCH', [...returned, ...(needsCharset ? charset : []), ...criteria], {
      bytes: expected * 11,
      untagged: {
        SEARCH: ({ attributes = [] }) => {
          for (const token of attributes) {
            const uid = numberOf(token);
            if (uid !== null) onSet(String(uid));
          }
        },
        ESEARCH: ({ attributes = [] }) => {
          const all = attributes.findIndex((token) => textOf(token)?.toUpperCase() === 'ALL');
          const set = all < 0 ? null : textOf(attributes[all + 1]);
          if (set !== null) onSet(set);
        },
      },
    });
  }

  /** Whether the open folder keeps a flag (RFC 3501 §7.1). Servers ignore other flags and answer OK. */
  keeps(flag: string): boolean {
    const { permanentFlags = null, isReadOnly = false } = this.opened ?? {};
    if (isReadOnly) return false;
    if (permanentFlags === null) return true;
    return permanentFlags.some((name) => name.toLowerCase() === flag.toLowerCase() || name === '\\*');
  }

  /**
   * Sets or clears flags. An OK proves nothing, since servers also answer so for flags that they do not keep.
   * @param uids in the open folder
   * @returns the flags of the messages afterwards, as the server reports them
   */
  async store(
    uids: readonly number[],
    sign: '+' | '-',
    flags: readonly string[],
  ): Promise<Map<number, readonly string[]>> {
    const wanted = new Set(uids);
    const after = new Map<number, readonly string[]>();
    for (const set of commandSets(uids)) {
      await this.commands.send('UID STORE', [sequence(set), atom(`${sign}FLAGS`), atoms(flags)], {
        bytes: uids.length * FLAGS_BYTES,
        untagged: {
          FETCH: (answer) => {
            const items = fetchItems(answer);
            const uid = numberOf(items.get('UID'));
            if (uid !== null && wanted.has(uid) && items.has('FLAGS'))
              after.set(uid, flagsOf(items.get('FLAGS')));
          },
        },
      });
    }
    const silent = uids.filter((uid) => !after.has(uid));
    if (silent.length > 0)
      for (const [uid, found] of await this.fetches.fetchFlags(silent)) after.set(uid, found);
    return after;
  }

  /**
   * Adds or removes labels at Gmail, which creates unknown ones.
   * @param uids in the open folder
   * @param labels names of labels, system labels with a backslash in front
   */
  async storeLabels(uids: readonly number[], sign: '+' | '-', labels: readonly string[]): Promise<void> {
    const names = labels.map((name) => (isSystemLabel(name) ? atom(name) : this.mailboxName(name)));
    for (const set of commandSets(uids)) {
      await this.commands.send('UID STORE', [sequence(set), atom(`${sign}X-GM-LABELS.SILENT`), names]);
    }
  }

  /** @throws FolderMissing when the target is not there */
  copy(uids: readonly number[], path: string): Promise<CopiedUids> {
    return this.transfer('UID COPY', uids, path);
  }

  /** Moves messages (RFC 6851), only on servers that offer it. @throws FolderMissing when the target is not there */
  move(uids: readonly number[], path: string): Promise<CopiedUids> {
    return this.transfer('UID MOVE', uids, path);
  }

  /**
   * Marks these messages as deleted and removes them and no others, by UID EXPUNGE (RFC 4315).
   * @param uids in the open folder, of a server with UIDPLUS
   */
  async expunge(uids: readonly number[]): Promise<void> {
    for (const set of commandSets(uids)) {
      await this.commands.send('UID STORE', [sequence(set), atom('+FLAGS.SILENT'), atoms(['\\Deleted'])]);
      await this.commands.send('UID EXPUNGE', [sequence(set)]);
    }
  }

  /** @returns the UID of the new message, where the server says it. @throws FolderMissing */
  async append(
    path: string,
    bytes: Buffer,
    flags: readonly string[],
    internalDate: Date | null,
  ): Promise<{ readonly uidValidity: number; readonly uid: number } | null> {
    const isLiteral8 = this.has('BINARY') && bytes.includes(0);
    const answer = await this.translateMissing(() =>
      this.commands.send(
        'APPEND',
        [
          this.mailboxName(path),
          atoms(flags),
          ...(internalDate ? [dateTime(internalDate)] : []),
          { type: 'LITERAL', value: bytes, isLiteral8 },
        ],
        { bytes: bytes.length },
      ),
    );
    const [code, uidValidity, uid] = responseCode(answer);
    return code === 'APPENDUID' ? { uidValidity: Number(uidValidity), uid: Number(uid) } : null;
  }

  async create(path: string): Promise<void> {
    await this.commands.send('CREATE', [this.mailboxName(path)]);
  }

  /** Subscribes to a folder. Many mail programs hide folders without a subscription. */
  async subscribe(path: string): Promise<void> {
    await this.commands.send('SUBSCRIBE', [this.mailboxName(path)]);
  }

  /** @throws FolderMissing */
  async deleteFolder(path: string): Promise<void> {
    if (this.opened?.path === path) await this.leave();
    await this.translateMissing(() => this.commands.send('DELETE', [this.mailboxName(path)]));
  }

  private async leave(): Promise<void> {
    this.opened = null;
    if (this.has('UNSELECT')) await this.commands.send('UNSELECT');
    else await this.open('INBOX');
  }

  private async transfer(command: string, uids: readonly number[], path: string): Promise<CopiedUids> {
    const pairs: [number, number][] = [];
    const wanted = new Set(uids);
    let uidValidity = 0;
    const read = (answer: UntaggedAnswer): void => {
      const [code, validity, from, to] = responseCode(answer);
      if (code !== 'COPYUID' || typeof from !== 'string' || typeof to !== 'string') return;
      const [sources, copies] = [orderedUids(from, uids.length), orderedUids(to, uids.length)];
      if (!sources || sources.length !== copies?.length) return;
      uidValidity = Number(validity);
      sources.forEach((source, index) => {
        if (wanted.delete(source)) pairs.push([source, copies[index] as number]);
      });
    };
    for (const set of commandSets(uids)) {
      const answer = await this.translateMissing(() =>
        this.commands.send(command, [sequence(set), this.mailboxName(path)], {
          bytes: uids.length * 1_024,
          untagged: { OK: read },
        }),
      );
      read(answer);
    }
    return uidValidity > 0 ? { uidValidity, pairs } : null;
  }

  private async homes(command: 'FETCH' | 'UID FETCH', from: number, to: number): Promise<(string | null)[]> {
    const names = await this.fetches.fetchHomes(command, from, to);
    return names.map((name) => (name === null ? null : this.readName(name)));
  }

  /** Turns a refusal that is about the folder into `FolderMissing`. */
  private async translateMissing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isMissing =
        error instanceof ProviderFailure && (error.error instanceof LabelNotFound || error.reason === 'no');
      throw isMissing ? new FolderMissing('The folder cannot be used', { cause: error }) : error;
    }
  }

  /**
   * Runs `work`, and turns every refusal to open a folder into `FolderMissing`, so that the other folders are still
   * read.
   */
  private async translateRefusal<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isRefused =
        error instanceof ProviderFailure && error.kind === 'refused' && error.reason !== 'bad';
      // The folder is locked or broken. When it is INBOX, the whole mailbox is unavailable.
      const isLocked =
        path !== 'INBOX' && error instanceof ProviderFailure && ['inuse', 'serverbug'].includes(error.reason);
      if (!isRefused && !isLocked) throw error;
      throw new FolderMissing('The folder cannot be opened', { cause: error });
    }
  }

  /**
   * Enables QRESYNC, by which SELECT reports all changes since a known state (RFC 7162 §3.2.5).
   * @returns whether it is enabled
   */
  private async enableResync(): Promise<boolean> {
    if (!this.has('QRESYNC') || !this.has('ENABLE')) return false;
    if (this.client.enabled.has('QRESYNC')) return true;
    this.enabled ??= this.commands.send('ENABLE', [atom('QRESYNC')]);
    await this.enabled;
    return true;
  }

  private mailboxName(path: string): Argument {
    if (path.toUpperCase() === 'INBOX') return atom('INBOX');
    if (!this.client.enabled.has('UTF8=ACCEPT')) return encodeModifiedUtf7(path);
    return path;
  }

  private folderOf({ attributes = [] }: UntaggedAnswer): Omit<ListedFolder, 'status'> {
    const [flags, delimiter, name] = attributes;
    const sent = textOf(name);
    const found = isList(flags) ? flags.flatMap((flag) => textOf(flag)?.toLowerCase() ?? []) : [];
    const path = sent === null || sent.length > MAX_PATH ? null : this.readName(sent);
    if (path === null || path === '' || /\p{Cc}/u.test(path))
      return { ...unusable(path ?? sent ?? '', 'name'), attributes: found };
    return { path, delimiter: textOf(delimiter) || null, attributes: found };
  }

  private statusOf({ attributes = [] }: UntaggedAnswer): [string, FolderStatus | null] {
    const path = this.readName(textOf(attributes[0]) ?? '');
    const list = attributes[1];
    if (!isList(list)) return [path, null];
    const pairs = pairsOf(list);
    const [messages, uidNext, uidValidity] = ['MESSAGES', 'UIDNEXT', 'UIDVALIDITY'].map((name) =>
      numberOf(pairs.get(name)),
    );
    if (messages == null || uidNext == null || uidValidity == null) return [path, null];
    const unseen = numberOf(pairs.get('UNSEEN')) ?? 0;
    return [
      path,
      { messages, uidNext, uidValidity, unseen, modseq: bigNumberOf(pairs.get('HIGHESTMODSEQ')) },
    ];
  }

  private readName(sent: string): string {
    if (sent.toUpperCase() === 'INBOX') return 'INBOX';
    return this.client.enabled.has('UTF8=ACCEPT') ? sent : decodeModifiedUtf7(sent);
  }
}

/** Builds the entry of a folder whose name no command can use. */
const unusable = (name: string, problem: FolderProblem): Omit<ListedFolder, 'status'> => ({
  path: toDisplayName(name),
  delimiter: null,
  attributes: [],
  problem,
});

/** Returns a name for display: control characters as their pictures (U+2400), cut to `MAX_SHOWN`. */
const toDisplayName = (name: string): string =>
  name
    .replace(/\p{C}/gu, (character) =>
      character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : '\u{fffd}',
    )
    .slice(0, MAX_SHOWN);

function hasBytes(criteria: readonly Argument[]): boolean {
  return criteria.some((argument) =>
    typeof argument === 'object' && !Array.isArray(argument)
      ? Buffer.isBuffer((argument as { value?: unknown }).value)
      : Array.isArray(argument) && hasBytes(argument as readonly Argument[]),
  );
}
