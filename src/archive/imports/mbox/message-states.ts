import { decodeHeaderText } from '../../../platform/mime/header-text';
import type { LeftOutReason, StateNotKept } from '../files/item-reasons';

/** The states that a mail program noted in a message of its folder. */
export interface MessageState {
  /** Null: the message is imported. */
  readonly leftOut: Extract<LeftOutReason, 'deleted' | 'folderData'> | null;
  /** Labels for its states and keywords. */
  readonly labelIds: readonly string[];
  /** States that no label stands for. */
  readonly notKept: readonly StateNotKept[];
}

const MAX_HEAD = 64 * 1024;
const MAX_KEYWORDS = 100;
const MAX_KEYWORD_LENGTH = 255;
/** Thunderbird writes its fields in front of all others; further down, a sender may have written them. */
const MOZILLA_LINES = 4;
/** Bits of X-Mozilla-Status (nsMsgMessageFlags). */
const MOZILLA = { read: 0x0001, replied: 0x0002, marked: 0x0004, expunged: 0x0008, forwarded: 0x1000 };
/** Names that Thunderbird shows for its five tags. */
const MOZILLA_TAGS: Readonly<Record<string, string>> = {
  $label1: 'Important',
  $label2: 'Work',
  $label3: 'Personal',
  $label4: 'To Do',
  $label5: 'Later',
};
/** Keywords that programs set for themselves. */
const INTERNAL_KEYWORDS =
  /^(?:nonjunk|junk|notjunk|\$(?:nonjunk|junk|notjunk|forwarded|mdnsent|isdeferred|haveattachment|hasattachment|phishing))$/i;
const FOLDER_DATA = /^DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA$/i;

/**
 * Reads the states that mail programs write into the messages of their folders: X-Mozilla-Status and X-Mozilla-Keys
 * (Thunderbird), Status, X-Status and X-Keywords (Pine, mutt, Dovecot), and the message in which Pine and Dovecot keep data of
 * the folder. A message that was deleted in Thunderbird is still in its file until the folder is compacted.
 */
export function readMessageState(message: Buffer): MessageState {
  const lines = readHeaderLines(message);
  if (isFolderData(lines)) return { ...NONE, leftOut: 'folderData' };
  return readMozillaState(lines) ?? readUnixState(lines);
}

function readMozillaState(lines: readonly string[]): MessageState | null {
  const top = lines.slice(0, MOZILLA_LINES);
  const status = /^[0-9a-f]{4}$/i.exec(valueOf(top, 'x-mozilla-status') ?? '')?.[0];
  if (status === undefined) return null;
  const flags = parseInt(status, 16);
  if (flags & MOZILLA.expunged) return { ...NONE, leftOut: 'deleted' };
  const keywords = keywordsIn(valueOf(top, 'x-mozilla-keys')).map(
    (keyword) => MOZILLA_TAGS[keyword] ?? keyword,
  );
  const notKept = statesNotKept(Boolean(flags & MOZILLA.replied), Boolean(flags & MOZILLA.forwarded));
  return { ...labelled(Boolean(flags & MOZILLA.read), Boolean(flags & MOZILLA.marked), keywords), notKept };
}

/**
 * Reads Status and X-Status. They count only beside each other, as programs write them. A sender can write them too: what they
 * call deleted is imported, into the trash.
 */
function readUnixState(lines: readonly string[]): MessageState {
  const at = lines.findIndex((line) => /^status:[ \t]*[RO]*$/i.test(line));
  if (at === -1) return NONE;
  const neighbours = [lines[at - 1], lines[at + 1]].filter((line) => line !== undefined);
  const flags = /^[A-Z]*$/.exec(valueOf(neighbours, 'x-status') ?? '')?.[0] ?? '';
  const trash = flags.includes('D') ? ['TRASH'] : [];
  const isRead = (valueOf([lines[at]!], 'status') ?? '').toUpperCase().includes('R');
  const notKept = statesNotKept(flags.includes('A'), false);
  const keywords = keywordsIn(valueOf(lines, 'x-keywords'));
  return { ...labelled(isRead, flags.includes('F'), [...trash, ...keywords]), notKept };
}

const NONE: MessageState = { leftOut: null, labelIds: [], notKept: [] };

export const statesNotKept = (isAnswered: boolean, isForwarded: boolean): StateNotKept[] => [
  ...(isAnswered ? (['answered'] as const) : []),
  ...(isForwarded ? (['forwarded'] as const) : []),
];

function labelled(isRead: boolean, isStarred: boolean, keywords: readonly string[]): MessageState {
  const states = [...(isRead ? [] : ['UNREAD']), ...(isStarred ? ['STARRED'] : [])];
  return { ...NONE, labelIds: [...states, ...keywords] };
}

/** The data of a folder: X-IMAP or X-IMAPbase, and the subject that all programs give it. */
function isFolderData(lines: readonly string[]): boolean {
  const isMarked = lines.some((line) => /^x-imap(?:base)?:/i.test(line));
  return isMarked && FOLDER_DATA.test(valueOf(lines, 'subject') ?? '');
}

function readHeaderLines(message: Buffer): string[] {
  const end = message.subarray(0, MAX_HEAD).indexOf('\r\n\r\n');
  const head = message.toString('latin1', 0, end === -1 ? MAX_HEAD : end);
  return head.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
}

function valueOf(lines: readonly string[], name: string): string | null {
  const line = lines.find((each) => each.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return line === undefined ? null : line.slice(name.length + 1).trim();
}

function keywordsIn(value: string | null): string[] {
  const words = decodeHeaderText(value ?? '')
    .split(' ')
    .filter((word) => word !== '' && word.length <= MAX_KEYWORD_LENGTH && !INTERNAL_KEYWORDS.test(word));
  return [...new Set(words)].slice(0, MAX_KEYWORDS);
}
