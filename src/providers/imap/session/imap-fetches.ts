import { UidSet } from './uid-set';
import {
  bigNumberOf,
  bytesOf,
  dateOf,
  fetchItems,
  flagsOf,
  isList,
  labelsOf,
  numberOf,
  textOf,
  type Token,
  type TokenList,
} from './imap-answers';
import { type Argument, atom, type ImapCommands, peek, sequence } from './imap-commands';

/** Most characters of a set of UIDs in one command, so that every server accepts the line (RFC 7162 §4). */
const MAX_SET = 7_500;
/** Bytes of an answer for each message, by the items that are requested. */
const SKELETON_BYTES = 200;
const HEADER_BYTES = 8_192;
const LISTED_BYTES = 1_024;
/** Most messages that a range of UIDs is expected to have; it may name billions. */
const MOST_IN_RANGE = 1_000_000;
/** Bytes of a message read at once; larger messages are read in pieces. */
export const PIECE_BYTES = 4 * 1024 * 1024;

/** Header fields read of each message, for its id, its conversation and its metadata. */
const HEADER_FIELDS = [
  'Message-ID', 'Date', 'From', 'To', 'Cc', 'Bcc', 'Subject', 'Received', 'References', 'In-Reply-To', 'List-Id',
  'List-Unsubscribe', 'List-Unsubscribe-Post', 'Delivered-To', 'Reply-To', 'Content-Type',
]; // prettier-ignore

export interface DescribedMessage {
  readonly uid: number;
  readonly flags: readonly string[];
  /** X-GM-LABELS as Gmail names them; empty for other servers. */
  readonly labels: readonly string[];
  readonly internalDate: Date;
  readonly size: number;
}

/** A message as a server lists it, for imports and other one-time reads of a folder. */
export interface ListedMessage {
  readonly uid: number;
  readonly flags: readonly string[];
  /** X-GM-LABELS; null for other servers. */
  readonly labels: readonly string[] | null;
  /** INTERNALDATE; null when it cannot be read. */
  readonly receivedAt: Date | null;
  /** RFC822.SIZE in bytes. */
  readonly size: number;
  /** X-GM-THRID, as the Gmail API writes it; null for other servers. */
  readonly threadId: string | null;
}

/** Attributes of a message that can change while it stays in its place. */
export type MessageMarks = Pick<DescribedMessage, 'flags' | 'labels'>;

export interface ReadHeader {
  readonly uid: number;
  readonly size: number;
  readonly described: DescribedMessage;
  /** Header lines as the server sent them. */
  readonly header: Buffer;
  /** BODYSTRUCTURE; null when it could not be read. */
  readonly structure: TokenList | null;
  /** X-GM-MSGID and X-GM-THRID, as the Gmail API writes them; null for other servers. */
  readonly gmail: { readonly messageId: string; readonly threadId: string } | null;
}

/** Bytes of a message, with Gmail's id of it. */
export interface ReadBytes {
  readonly bytes: Buffer;
  /** X-GM-MSGID, as the Gmail API writes it; null for other servers. */
  readonly gmailId: string | null;
}

/** A piece of a message, with the message's date of arrival. */
export interface DatedPiece extends ReadBytes {
  /** INTERNALDATE; null when it cannot be read. */
  readonly receivedAt: Date | null;
}

const IDENTITIES_AT_ONCE = 500;

/** Reads messages of the folder that is open on a connection. */
export class ImapFetches {
  private readonly marks: readonly string[];

  constructor(
    private readonly commands: ImapCommands,
    /** Decodes names of Gmail's labels; null for other servers. */
    private readonly readLabel: ((sent: string) => string) | null = null,
  ) {
    this.marks = readLabel ? ['FLAGS', 'X-GM-LABELS'] : ['FLAGS'];
  }

  /** Reads UIDs, flags, labels, dates and sizes of the messages from `from` to `to`. */
  async describe(from: number, to: number): Promise<DescribedMessage[]> {
    const found = await this.describeSet('UID FETCH', from, to);
    return found.filter(({ uid }) => uid >= from && uid <= to);
  }

  /** Lists those of the given messages that exist, in the order of their UIDs, with their conversations at Gmail. */
  async list(uids: readonly number[]): Promise<ListedMessage[]> {
    const wanted = new Set(uids);
    const found: ListedMessage[] = [];
    const names = [
      'UID',
      ...this.marks,
      'INTERNALDATE',
      'RFC822.SIZE',
      ...(this.readLabel ? ['X-GM-THRID'] : []),
    ];
    for (const set of commandSets(uids)) {
      await this.fetch(
        'UID FETCH',
        set,
        names,
        (items, uid) => {
          const size = numberOf(items.get('RFC822.SIZE'));
          const marks = this.readMarks(items);
          // An answer without these items reports a change of another program.
          if (size === null || marks === null || !wanted.delete(uid)) return;
          const labels = this.readLabel ? marks.labels : null;
          const receivedAt = dateOf(items.get('INTERNALDATE'));
          found.push({ uid, flags: marks.flags, labels, receivedAt, size, threadId: threadIdIn(items) });
        },
        uids.length * LISTED_BYTES,
      );
    }
    return found.sort((one, other) => one.uid - other.uid);
  }

  /** Reads the same as `describe` for messages with these sequence numbers. */
  describeByNumber(from: number, to: number): Promise<DescribedMessage[]> {
    return this.describeSet('FETCH', from, to);
  }

  /**
   * Reads flags and labels of the messages from `from` to `to`; with `changedSince`, a mod-sequence (CONDSTORE), only
   * of those changed since.
   */
  async fetchMarks(from: number, to: number, changedSince?: string): Promise<Map<number, MessageMarks>> {
    const found = new Map<number, MessageMarks>();
    await this.fetch(
      'UID FETCH',
      `${from}:${to}`,
      ['UID', ...this.marks],
      (items, uid) => {
        const marks = uid >= from && uid <= to ? this.readMarks(items) : null;
        if (marks) found.set(uid, marks);
      },
      rangeBytes(from, to),
      changedSince === undefined ? [] : [[atom('CHANGEDSINCE'), atom(changedSince)]],
    );
    return found;
  }

  /** Reads the UIDs of messages with these sequence numbers. */
  async fetchUidsByNumber(from: number, to: number): Promise<number[]> {
    const uids = new Set<number>();
    await this.fetch('FETCH', `${from}:${to}`, ['UID'], (_items, uid) => uids.add(uid), rangeBytes(from, to));
    return [...uids].sort((one, other) => one - other);
  }

  /**
   * Reads the names of the folders in which these messages lie, as Dovecot writes them: for a virtual folder, those of
   * other folders.
   */
  async fetchHomes(command: 'FETCH' | 'UID FETCH', from: number, to: number): Promise<(string | null)[]> {
    const homes = new Map<number, string | null>();
    await this.fetch(
      command,
      `${from}:${to}`,
      ['UID', 'X-MAILBOX'],
      (items, uid) => homes.set(uid, textOf(items.get('X-MAILBOX'))),
      rangeBytes(from, to),
    );
    return [...homes.values()];
  }

  /** Returns those of the given UIDs that the open folder has. */
  async findPresent(uids: readonly number[]): Promise<Set<number>> {
    const found = new Set<number>();
    for (const set of commandSets(uids)) {
      await this.fetch(
        'UID FETCH',
        set,
        ['UID'],
        (_items, uid) => found.add(uid),
        uids.length * SKELETON_BYTES,
      );
    }
    return found;
  }

  /** Reads flags, by UID. */
  async fetchFlags(uids: readonly number[]): Promise<Map<number, string[]>> {
    const wanted = new Set(uids);
    const found = new Map<number, string[]>();
    for (const set of commandSets(uids)) {
      await this.fetch(
        'UID FETCH',
        set,
        ['UID', 'FLAGS'],
        (items, uid) => {
          if (wanted.has(uid) && items.has('FLAGS')) found.set(uid, flagsOf(items.get('FLAGS')));
        },
        uids.length * SKELETON_BYTES,
      );
    }
    return found;
  }

  /** Reads headers and structure. Messages that the client cannot parse are requested again without their structure. */
  async fetchHeaders(uids: readonly number[]): Promise<ReadHeader[]> {
    const wanted = new Set(uids);
    const found = await this.fetchHeaderSet(UidSet.of(uids).toString(), uids.length, true);
    const missing = uids.filter((uid) => !found.has(uid));
    if (missing.length > 0) {
      const again = await this.fetchHeaderSet(UidSet.of(missing).toString(), missing.length, false);
      for (const [uid, header] of again) found.set(uid, header);
    }
    return [...found.values()].filter(({ uid }) => wanted.has(uid));
  }

  /** Reads headers without structure, which is enough to identify the messages at these UIDs. */
  async fetchIdentities(uids: readonly number[]): Promise<Map<number, ReadHeader>> {
    const wanted = new Set(uids);
    const found = new Map<number, ReadHeader>();
    for (let start = 0; start < uids.length; start += IDENTITIES_AT_ONCE) {
      const asked = uids.slice(start, start + IDENTITIES_AT_ONCE);
      for (const [uid, header] of await this.fetchHeaderSet(UidSet.of(asked).toString(), asked.length, false))
        if (wanted.has(uid)) found.set(uid, header);
    }
    return found;
  }

  /**
   * Reads headers and structure of all messages with UIDs from `from` to `to`, which must be few, and of `others` in
   * the same command.
   */
  async fetchHeadersBetween(from: number, to: number, others: readonly number[] = []): Promise<ReadHeader[]> {
    const set = [...(others.length > 0 ? [UidSet.of(others).toString()] : []), `${from}:${to}`].join(',');
    const found = await this.fetchHeaderSet(set, to - from + 1 + others.length, true);
    return [...found.values()].filter(({ uid }) => (uid >= from && uid <= to) || others.includes(uid));
  }

  /**
   * Reads whole messages of at most `PIECE_BYTES` each; larger ones are cut.
   * @param bytes announced size of all of them
   * @param mostBytes limit beyond which the connection is distrusted
   */
  async fetchBodies(
    uids: readonly number[],
    bytes: number,
    mostBytes = 2 * bytes + uids.length * PIECE_BYTES,
  ): Promise<Map<number, ReadBytes>> {
    const wanted = new Set(uids);
    const found = new Map<number, ReadBytes>();
    let length = 0;
    await this.fetchItemsOf(
      'UID FETCH',
      UidSet.of(uids).toString(),
      this.buildBodyItems(0, PIECE_BYTES + 1),
      (items, uid) => {
        if (!wanted.delete(uid)) return;
        const body = bytesOf(items.get('BODY[]'));
        if (body === null) return;
        length += body.length;
        if (length > mostBytes) this.commands.distrust('more bytes than announced');
        found.set(uid, { bytes: body, gmailId: gmailIdIn(items) });
      },
      bytes,
    );
    return found;
  }

  /** Reads the first `length` bytes of messages. */
  async fetchBeginnings(uids: readonly number[], length: number): Promise<Map<number, ReadBytes>> {
    const wanted = new Set(uids);
    const found = new Map<number, ReadBytes>();
    await this.fetchItemsOf(
      'UID FETCH',
      UidSet.of(uids).toString(),
      this.buildBodyItems(0, length),
      (items, uid) => {
        const bytes = bytesOf(items.get('BODY[]'));
        if (bytes && wanted.delete(uid))
          found.set(uid, { bytes: bytes.subarray(0, length), gmailId: gmailIdIn(items) });
      },
      uids.length * length,
    );
    return found;
  }

  /** Reads bytes of a message from `start` on, at most `PIECE_BYTES`. Null when the server does not return them. */
  fetchPiece(uid: number, start: number): Promise<ReadBytes | null> {
    return this.fetchPieceWith([], uid, start);
  }

  /** Reads a piece like `piece`, with the message's date of arrival. */
  fetchDatedPiece(uid: number, start: number): Promise<DatedPiece | null> {
    return this.fetchPieceWith([atom('INTERNALDATE')], uid, start);
  }

  private async fetchPieceWith(
    items: readonly Argument[],
    uid: number,
    start: number,
  ): Promise<DatedPiece | null> {
    let piece: DatedPiece | null = null;
    await this.fetchItemsOf(
      'UID FETCH',
      String(uid),
      [...items, ...this.buildBodyItems(start, PIECE_BYTES)],
      (found, foundUid) => {
        const bytes = foundUid === uid ? bytesOf(found.get('BODY[]')) : null;
        if (bytes === null) return;
        piece = { bytes, gmailId: gmailIdIn(found), receivedAt: dateOf(found.get('INTERNALDATE')) };
      },
      PIECE_BYTES,
    );
    return piece;
  }

  private buildBodyItems(start: number, length: number): Argument[] {
    const gmailId = this.readLabel ? [atom('X-GM-MSGID')] : [];
    return [atom('UID'), ...gmailId, peek([], [start, length])];
  }

  private async describeSet(command: string, from: number, to: number): Promise<DescribedMessage[]> {
    const found = new Map<number, DescribedMessage>();
    await this.fetch(
      command,
      `${from}:${to}`,
      ['UID', ...this.marks, 'INTERNALDATE', 'RFC822.SIZE'],
      (items, uid) => {
        const described = this.readDescription(items, uid);
        if (described) found.set(uid, described);
      },
      rangeBytes(from, to),
    );
    return [...found.values()].sort((one, other) => one.uid - other.uid);
  }

  private async fetchHeaderSet(
    set: string,
    count: number,
    withStructure: boolean,
  ): Promise<Map<number, ReadHeader>> {
    const found = new Map<number, ReadHeader>();
    await this.fetchItemsOf(
      'UID FETCH',
      set,
      [
        ...['UID', ...this.marks, 'INTERNALDATE', 'RFC822.SIZE'].map(atom),
        ...(this.readLabel ? ['X-GM-MSGID', 'X-GM-THRID'] : []).map(atom),
        ...(withStructure ? ['BODYSTRUCTURE'] : []).map(atom),
        peek([atom('HEADER.FIELDS'), HEADER_FIELDS.map(atom)]),
      ],
      (items, uid) => {
        const described = this.readDescription(items, uid);
        const gmail = this.readLabel ? gmailIdsIn(items) : null;
        const header = bytesOf(items.get('BODY[]'));
        const structure = items.get('BODYSTRUCTURE');
        if (!described || header === null || found.size >= 2 * count) return;
        if (this.readLabel && gmail === null) return;
        const { size } = described;
        found.set(uid, {
          ...{ uid, size, described, header, gmail },
          structure: isList(structure) ? structure : null,
        });
      },
      count * HEADER_BYTES,
    );
    return found;
  }

  private readDescription(items: ReadonlyMap<string, Token>, uid: number): DescribedMessage | null {
    const size = numberOf(items.get('RFC822.SIZE'));
    const marks = this.readMarks(items);
    if (size === null || marks === null) return null;
    return { uid, ...marks, internalDate: dateOf(items.get('INTERNALDATE')) ?? new Date(0), size };
  }

  private readMarks(items: ReadonlyMap<string, Token>): MessageMarks | null {
    if (this.marks.some((name) => !items.has(name))) return null;
    const labels = this.readLabel ? labelsOf(items.get('X-GM-LABELS')).map(this.readLabel) : [];
    return { flags: flagsOf(items.get('FLAGS')), labels };
  }

  private fetch(
    command: string,
    set: string,
    names: readonly string[],
    onItems: (items: Map<string, Token>, uid: number) => void,
    bytes: number,
    modifiers: readonly Argument[] = [],
  ): Promise<void> {
    return this.fetchItemsOf(command, set, names.map(atom), onItems, bytes, modifiers);
  }

  private async fetchItemsOf(
    command: string,
    set: string,
    asked: readonly Argument[],
    onItems: (items: Map<string, Token>, uid: number) => void,
    bytes: number,
    modifiers: readonly Argument[] = [],
  ): Promise<void> {
    if (set === '') return;
    await this.commands.send(command, [sequence(set), asked, ...modifiers], {
      bytes,
      untagged: {
        FETCH: (answer) => {
          const items = fetchItems(answer);
          const uid = numberOf(items.get('UID'));
          if (uid !== null) onItems(items, uid);
        },
        // Changes of other sessions are found by the next sync of the folder.
        VANISHED: () => undefined,
        EXPUNGE: () => undefined,
        EXISTS: () => undefined,
      },
    });
  }
}

/** Estimates the bytes of an answer about the messages of a range. */
const rangeBytes = (from: number, to: number): number =>
  Math.min(to - from + 1, MOST_IN_RANGE) * SKELETON_BYTES;

/** Splits UIDs into sets that fit in a command line. */
export function commandSets(uids: readonly number[]): string[] {
  const sets: string[] = [];
  let set = '';
  for (const range of UidSet.of(uids).toString().split(',')) {
    if (set !== '' && set.length + range.length + 1 > MAX_SET) {
      sets.push(set);
      set = '';
    }
    set += set === '' ? range : `,${range}`;
  }
  return set === '' ? sets : [...sets, set];
}

function gmailIdIn(items: ReadonlyMap<string, Token>): string | null {
  const id = bigNumberOf(items.get('X-GM-MSGID'));
  return id === null ? null : BigInt(id).toString(16);
}

function threadIdIn(items: ReadonlyMap<string, Token>): string | null {
  const id = bigNumberOf(items.get('X-GM-THRID'));
  return id === null ? null : BigInt(id).toString(16);
}

/** Reads Gmail's ids. The ids of the Gmail API are the same numbers in hexadecimal. */
function gmailIdsIn(items: ReadonlyMap<string, Token>): ReadHeader['gmail'] {
  const [messageId, threadId] = ['X-GM-MSGID', 'X-GM-THRID'].map((name) => bigNumberOf(items.get(name)));
  if (!messageId || !threadId) return null;
  return { messageId: BigInt(messageId).toString(16), threadId: BigInt(threadId).toString(16) };
}
