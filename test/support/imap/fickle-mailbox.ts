import { createHash } from 'node:crypto';
import type { CallAttempt } from '../../../src/providers/gateway/provider-call';
import type { ImapAccount } from '../../../src/providers/imap/login/imap-accounts.repository';
import type { ImapAttempt, ImapCalls } from '../../../src/providers/imap/session/imap-calls';
import {
  type DescribedMessage,
  PIECE_BYTES,
  type ReadBytes,
  type ReadHeader,
} from '../../../src/providers/imap/session/imap-fetches';
import {
  type CopiedUids,
  FolderMissing,
  type ImapSession,
  type OpenFolder,
} from '../../../src/providers/imap/session/imap-session';
import { ProviderUnavailable } from '../../../src/providers/port/mail-provider.errors';

/** When messages arrived, where a test says so: moved and renumbered messages keep it. */
const arrivals = new WeakMap<Buffer, Date>();

/** The same message with a time of arrival (INTERNALDATE). */
export function arrived(raw: Buffer, date: Date): Buffer {
  arrivals.set(raw, date);
  return raw;
}

/** A folder of a server that changes its mind between two commands. */
export class FickleFolder {
  uidValidity = 7;
  uidNext = 1;
  modseq = 1;
  readonly messages = new Map<number, Buffer>();
  /** Grows when UIDs are given anew: a connection that has the folder open does not live to see it (RFC 3501 §2.3.1.1). */
  generation = 0;
  /** Sizes that the server announces where they are not the lengths. */
  readonly announced = new Map<number, number>();
  /** UIDs that listings leave out. */
  readonly hidden = new Set<number>();

  add(...raws: readonly Buffer[]): void {
    for (const raw of raws) {
      this.messages.set(this.uidNext, raw);
      this.uidNext += 1;
      this.modseq += 1;
    }
  }

  remove(uid: number): Buffer | undefined {
    const raw = this.messages.get(uid);
    this.messages.delete(uid);
    this.modseq += 1;
    return raw;
  }

  /** Gives the messages other UIDs, in the reverse order. @param uidValidity the same, for a server that does not say so */
  renumber(uidValidity: number): void {
    const raws = [...this.messages.values()].reverse();
    this.messages.clear();
    this.uidValidity = uidValidity;
    raws.forEach((raw, index) => this.messages.set(index + 1, raw));
    this.uidNext = raws.length + 1;
    this.modseq += 1;
    this.generation += 1;
  }

  /** Goes back to when `uidNext` was the next UID: what came later is gone, and its UIDs are given again. */
  rollBack(uidNext: number): void {
    for (const uid of this.uids) if (uid >= uidNext) this.messages.delete(uid);
    this.uidNext = Math.min(uidNext, this.uidNext);
    this.modseq = this.uidNext;
    this.generation += 1;
  }

  get uids(): number[] {
    return [...this.messages.keys()].sort((one, other) => one - other);
  }

  sizeOf(uid: number): number {
    return this.announced.get(uid) ?? this.messages.get(uid)!.length;
  }
}

/** A message that a command was about to change. */
export interface WrittenMessage {
  readonly command: string;
  readonly raw: Buffer;
}

const keptFlags = new WeakMap<Buffer, Set<string>>();
const keptLabels = new WeakMap<Buffer, Set<string>>();
const setOf = (sets: WeakMap<Buffer, Set<string>>, raw: Buffer): Set<string> => {
  const known = sets.get(raw) ?? new Set();
  sets.set(raw, known);
  return known;
};

/** Flags that a message has. */
export const flagsOf = (raw: Buffer): string[] => [...setOf(keptFlags, raw)].sort();

/** The id that a message has at Gmail. */
export const gmailIdOf = (raw: Buffer): string => createHash('sha256').update(raw).digest('hex').slice(0, 15);

/** A mailbox in memory, in the place of a connection and its server. */
export class FickleMailbox {
  readonly capabilities = new Set(['CONDSTORE', 'UIDPLUS']);
  /** Messages have Gmail's ids and labels. */
  gmailLabels = false;
  /** Attributes of folders, by their paths. */
  readonly attributes = new Map<string, string[]>();
  /** Whether a connection ends when the folder that it has open gives UIDs anew. */
  dropsConnections = false;
  /** The changes and copies, in order. */
  readonly written: WrittenMessage[] = [];
  readonly folders = new Map<string, FickleFolder>([['INBOX', new FickleFolder()]]);
  /** Runs before each command, and may change anything. */
  beforeCommand: (command: string) => void = () => undefined;
  /** Cuts what FETCH hands out of a message. */
  cut: (piece: Buffer, start: number) => Buffer | null = (piece) => piece;
  readonly commands: string[] = [];
  private opened: (OpenFolder & { generation: number }) | null = null;

  folder(path: string): FickleFolder {
    const known = this.folders.get(path);
    if (known) return known;
    const folder = new FickleFolder();
    this.folders.set(path, folder);
    return folder;
  }

  /** Takes the place of `ImapCalls`. */
  calls(server: ImapAccount): ImapCalls {
    const attempt = {
      number: 1,
      signal: new AbortController().signal,
      reserve: () => undefined,
    } as unknown as CallAttempt;
    const run = async <T>(
      _account: unknown,
      _call: unknown,
      work: (means: ImapAttempt) => Promise<T>,
    ): Promise<T> => {
      this.opened = null;
      try {
        return await work({ session: this.session(), server, attempt });
      } catch (error) {
        throw error instanceof FolderMissing ? new ProviderUnavailable(error) : error;
      }
    };
    return { run } as unknown as ImapCalls;
  }

  /** A connection with no folder open, which counts no commands. */
  newSession(): ImapSession {
    this.opened = null;
    const commands = {
      takeSent: () => new Map(),
      takeTransferred: () => ({ receivedBytes: 0, sentBytes: 0 }),
    };
    return Object.assign(this.session(), { commands });
  }

  session(): ImapSession {
    const now = (command: string): FickleFolder => {
      this.said(command);
      const folder = this.folders.get(this.opened!.path) ?? new FickleFolder();
      if (!this.dropsConnections || folder.generation === this.opened!.generation) return folder;
      this.opened = null;
      throw new ProviderUnavailable();
    };
    const listed = (folder: FickleFolder): number[] => folder.uids.filter((uid) => !folder.hidden.has(uid));
    const described = (folder: FickleFolder, uid: number): DescribedMessage => ({
      uid,
      flags: flagsOf(folder.messages.get(uid)!),
      labels: [...setOf(keptLabels, folder.messages.get(uid)!)].sort(),
      internalDate: arrivals.get(folder.messages.get(uid)!) ?? new Date(0),
      size: folder.sizeOf(uid),
    });
    const header = (folder: FickleFolder, uid: number): ReadHeader => ({
      uid,
      size: folder.sizeOf(uid),
      described: described(folder, uid),
      header: folder.messages.get(uid)!,
      structure: null,
      gmail: this.gmailLabels
        ? { messageId: gmailIdOf(folder.messages.get(uid)!), threadId: gmailIdOf(folder.messages.get(uid)!) }
        : null,
    });
    const handed = (folder: FickleFolder, uid: number, start: number, length: number): ReadBytes | null => {
      const raw = folder.messages.get(uid);
      const bytes = raw ? this.cut(raw.subarray(start, start + length), start) : null;
      return bytes && { bytes, gmailId: this.gmailLabels ? gmailIdOf(raw!) : null };
    };
    const open = (path: string): unknown => {
      this.said('SELECT');
      const folder = this.folders.get(path);
      if (!folder) throw new FolderMissing();
      const { uidValidity, uidNext, generation } = folder;
      this.opened = {
        ...{ path, uidValidity, uidNext, exists: folder.messages.size, modseq: String(folder.modseq) },
        ...{ permanentFlags: [], isReadOnly: false, generation },
      };
      return { folder: this.opened, resync: null };
    };
    const inFolder = <T>(
      command: string,
      uids: readonly number[],
      of: (f: FickleFolder, uid: number) => T,
    ): T[] => {
      const folder = now(command);
      return uids.filter((uid) => folder.messages.has(uid)).map((uid) => of(folder, uid));
    };
    const changed = (
      command: string,
      uids: readonly number[],
      change: (folder: FickleFolder, uid: number, raw: Buffer) => void,
    ): void => {
      const folder = now(command);
      for (const uid of uids) {
        const raw = folder.messages.get(uid);
        if (!raw) continue;
        this.written.push({ command, raw });
        change(folder, uid, raw);
      }
    };
    const transferred = (command: string, uids: readonly number[], path: string): CopiedUids => {
      const pairs: [number, number][] = [];
      const target = this.folders.get(path);
      if (!target) throw new FolderMissing();
      changed(command, uids, (folder, uid, raw) => {
        if (command === 'MOVE') folder.remove(uid);
        const copy = command === 'MOVE' ? raw : arrived(Buffer.from(raw), arrivals.get(raw) ?? new Date(0));
        pairs.push([uid, target.uidNext]);
        target.add(copy);
      });
      return { uidValidity: target.uidValidity, pairs };
    };
    const setMark = (
      sets: WeakMap<Buffer, Set<string>>,
      raw: Buffer,
      sign: string,
      marks: readonly string[],
    ) => marks.forEach((mark) => (sign === '+' ? setOf(sets, raw).add(mark) : setOf(sets, raw).delete(mark)));
    const openFolder = (): OpenFolder | null => this.opened;
    const between = (from: number, to: number) => (uid: number) => uid >= from && uid <= to;
    return {
      fetches: {
        describe: (from: number, to: number) => {
          const folder = now('FETCH');
          return listed(folder)
            .filter(between(from, to))
            .map((uid) => described(folder, uid));
        },
        describeByNumber: (from: number, to: number) => {
          const folder = now('FETCH');
          return listed(folder)
            .slice(from - 1, to)
            .map((uid) => described(folder, uid));
        },
        fetchUidsByNumber: (from: number, to: number) => listed(now('FETCH')).slice(from - 1, to),
        fetchMarks: () => new Map(inFolder('FETCH', [], () => [0, null])),
        findPresent: (uids: readonly number[]) => new Set(inFolder('FETCH', uids, (_folder, uid) => uid)),
        fetchHeaders: (uids: readonly number[]) => inFolder('FETCH', uids, header),
        fetchIdentities: (uids: readonly number[]) =>
          new Map(inFolder('FETCH', uids, (folder, uid) => [uid, header(folder, uid)] as const)),
        fetchHeadersBetween: (from: number, to: number, others: readonly number[] = []) => {
          const folder = now('FETCH');
          return listed(folder)
            .filter((uid) => between(from, to)(uid) || others.includes(uid))
            .map((uid) => header(folder, uid));
        },
        fetchBodies: (uids: readonly number[]) =>
          new Map(
            inFolder(
              'FETCH',
              uids,
              (folder, uid) => [uid, handed(folder, uid, 0, PIECE_BYTES + 1)] as const,
            ).flatMap(([uid, read]) => (read ? [[uid, read] as const] : [])),
          ),
        fetchBeginnings: (uids: readonly number[], length: number) =>
          new Map(inFolder('FETCH', uids, (folder, uid) => [uid, handed(folder, uid, 0, length)!] as const)),
        fetchPiece: (uid: number, start: number) => handed(now('FETCH'), uid, start, PIECE_BYTES),
      },
      has: (capability: string) => this.capabilities.has(capability),
      keeps: () => true,
      isOpen: (path: string) => this.opened?.path === path,
      get openFolder() {
        return openFolder();
      },
      expunge: (uids: readonly number[]) =>
        changed('EXPUNGE', uids, (folder, uid) => void folder.remove(uid)),
      store: (uids: readonly number[], sign: string, flags: readonly string[]) => {
        const after = new Map<number, readonly string[]>();
        changed('STORE', uids, (_folder, uid, raw) => {
          setMark(keptFlags, raw, sign, flags);
          after.set(uid, flagsOf(raw));
        });
        return after;
      },
      storeLabels: (uids: readonly number[], sign: string, labels: readonly string[]) =>
        changed('STORE', uids, (_folder, _uid, raw) => setMark(keptLabels, raw, sign, labels)),
      copy: async (uids: readonly number[], path: string) => transferred('COPY', uids, path),
      move: async (uids: readonly number[], path: string) => transferred('MOVE', uids, path),
      create: (path: string) => void this.folder(path),
      subscribe: () => undefined,
      list: () => {
        this.said('LIST');
        return [...this.folders].map(([path, folder]) => ({
          ...{ path, delimiter: '/', attributes: this.attributes.get(path) ?? [] },
          status: {
            ...{ messages: folder.messages.size, uidNext: folder.uidNext, unseen: 0 },
            ...{ uidValidity: folder.uidValidity, modseq: String(folder.modseq) },
          },
        }));
      },
      open,
      enter: (path: string, uidValidity: number) => {
        if (this.opened?.path !== path) open(path);
        if (this.opened?.uidValidity !== uidValidity) throw new FolderMissing();
      },
      close: () => undefined,
    } as unknown as ImapSession;
  }

  private said(command: string): void {
    this.commands.push(command);
    this.beforeCommand(command);
  }
}
