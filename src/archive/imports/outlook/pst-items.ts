import { MESSAGE_FRAMES } from './pff-frames';
import { PFF_LIMITS, type PffEnd, type PffLimits, type PffProgram, readPff } from './pff-process';

/** Most items in a row at which the reader may crash, and most of a file, before the file counts as damaged. */
const MAX_CRASHES_IN_A_ROW = 20;
const MAX_CRASHES = 1_000;

const MAGIC = Buffer.from('!BDN', 'latin1');
/** Signatures of the client at offset 8: of a PST or OST, and of an address book (MS-PST 2.2.2.6). */
const CLIENTS = ['SM', 'SO'];

/** Whether a file is a data file of Outlook: PST or OST. @param start at least its first 10 bytes */
export const isPst = (start: Buffer): boolean =>
  start.subarray(0, 4).equals(MAGIC) && CLIENTS.includes(start.toString('latin1', 8, 10));

/** A folder of a data file. */
export interface PstFolder {
  /** Names of the folders from the top of the mailbox on. */
  readonly path: readonly string[];
  readonly role: 'trash' | 'sent' | 'outbox' | null;
}

/** The file as a whole. */
export interface PstOpened {
  readonly kind: 'opened';
  /** Number of all items. */
  readonly items: number;
  /** Why items may be missing: the index cannot be read whole; null: it can. */
  readonly damage: string | null;
  readonly unread: readonly { readonly path: readonly string[]; readonly reason: string }[];
}

/** An item of a folder. */
export interface PstItem {
  readonly kind: 'item';
  /** Place in the file, from 0 on: the same each time. */
  readonly position: number;
  /** Identifier of its node; null: it could not be read. */
  readonly id: number | null;
  readonly folder: PstFolder;
  /** Its message as frames (`assembleMessage`); null: it cannot be read, for the reason in `failure`. */
  readonly frames: Buffer | null;
  readonly failure: { readonly code: string; readonly reason: string } | null;
}

/** The file cannot be read at all, or not to its end. */
export class PstUnreadable extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'PstUnreadable';
  }
}

/** The server lacks what reads data files. */
export class PstReaderMissing extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'PstReaderMissing';
  }
}

interface Walk {
  next: number;
  items: number | null;
  unfinished: { position: number; id: number | null; folder: PstFolder } | null;
  crashes: number;
  crashesInARow: number;
}

/**
 * The items of a data file from a position on, in an order that is always the same. An item that makes the reader crash, or
 * that takes it too long, is reported as unreadable, and a new process goes on behind it.
 * @throws PstUnreadable, PstReaderMissing, the signal's reason
 */
export async function* readPstItems(
  path: string,
  first: number,
  signal: AbortSignal,
  limits: PffLimits = PFF_LIMITS,
  program?: PffProgram,
): AsyncGenerator<PstOpened | PstItem, void, undefined> {
  const walk: Walk = { next: first, items: null, unfinished: null, crashes: 0, crashesInARow: 0 };
  for (;;) {
    const before = walk.next;
    const { end, isMore } = yield* readOnce(path, walk, signal, limits, program);
    if (end.kind === 'missing') throw new PstReaderMissing(end.reason);
    if (end.kind === 'unreadable') throw new PstUnreadable(end.reason);
    if (end.kind === 'ended') {
      if (!isMore) return;
      if (walk.next === before) throw new PstUnreadable('its reader makes no progress');
      continue;
    }
    if (!walk.unfinished) throw new PstUnreadable(end.reason);
    walk.crashes += 1;
    walk.crashesInARow = walk.next > before + 1 ? 1 : walk.crashesInARow + 1;
    if (walk.crashes > MAX_CRASHES || walk.crashesInARow > MAX_CRASHES_IN_A_ROW)
      throw new PstUnreadable(end.reason);
    const failure = { code: 'outlook-item-unreadable', reason: `its reader failed: ${end.reason}` };
    yield { kind: 'item', ...walk.unfinished, frames: null, failure };
    walk.next = walk.unfinished.position + 1;
    walk.unfinished = null;
    if (walk.items !== null && walk.next >= walk.items) return;
  }
}

async function* readOnce(
  path: string,
  walk: Walk,
  signal: AbortSignal,
  limits: PffLimits,
  program: PffProgram | undefined,
): AsyncGenerator<PstOpened | PstItem, { end: PffEnd; isMore: boolean }, undefined> {
  const frames = readPff(path, walk.next, signal, limits, program);
  const folders = new Map<number, PstFolder>();
  let roles: Readonly<Record<string, number>> = {};
  let parts: Buffer[] = [];
  let failure: PstItem['failure'] = null;
  let isMore = false;
  try {
    for (;;) {
      const { done, value } = await frames.next();
      if (done) return { end: value, isMore };
      if (MESSAGE_FRAMES.includes(value.kind)) {
        parts.push(value.bytes);
        continue;
      }
      const read = <T>(): T => JSON.parse(value.payload.toString()) as T;
      if (value.kind === 'H') {
        const opened = read<Omit<PstOpened, 'kind'> & { roles: Record<string, number> }>();
        roles = opened.roles;
        if (walk.items === null) {
          const { items, damage, unread } = opened;
          yield { kind: 'opened', items, damage, unread };
        }
        walk.items = opened.items;
      } else if (value.kind === 'F') {
        const { index, path: names, id } = read<{ index: number; path: string[]; id: number }>();
        folders.set(index, { path: names, role: roleOf(id, roles) });
      } else if (value.kind === 'I') {
        const { position, folder, id } = read<{ position: number; folder: number; id: number | null }>();
        walk.unfinished = { position, id, folder: folders.get(folder) ?? { path: [], role: null } };
        parts = [];
        failure = null;
      } else if (value.kind === 'X') {
        const { code, reason } = read<{ code: string; reason: string }>();
        failure = { code: `outlook-item-${code}`, reason };
      } else if (value.kind === 'Z' && walk.unfinished) {
        const item = walk.unfinished;
        const frames = failure ? null : Buffer.concat(parts);
        walk.next = item.position + 1;
        walk.unfinished = null;
        parts = [];
        yield { kind: 'item', ...item, frames, failure };
      } else if (value.kind === 'Q') {
        isMore = read<{ more: boolean }>().more;
      }
    }
  } finally {
    await frames.return({ kind: 'ended' });
  }
}

function roleOf(id: number, roles: Readonly<Record<string, number>>): PstFolder['role'] {
  const found = (['trash', 'sent', 'outbox'] as const).find((role) => roles[role] === id);
  return found ?? null;
}
