import { statesNotKept } from '../mbox/message-states';
import { isInMaildir } from './folder-layouts';
import type { StateNotKept } from './item-reasons';

/** The states of a message that its name, or a file beside it, tells. */
export interface PlaceStates {
  readonly isDeleted: boolean;
  /** Labels for its states and keywords. */
  readonly labelIds: readonly string[];
  readonly notKept: readonly StateNotKept[];
}

/** Flags at the end of a name in a Maildir. Programs that may not write `:` put another character. */
const MAILDIR_FLAGS = /[:;!_-]2,([A-Za-z]*)$/;
/** Sequences of MH whose meaning programs agree on; those of `INTERNAL` are positions and notes of programs. */
const MH_INTERNAL = /^(?:cur|previous-sequence|pseq|trace|\(.*\))$/i;
const MAX_KEYWORD_LENGTH = 255;

/**
 * The states of a message in a Maildir (maildir(5)). Without flags in its name they are known of new messages only.
 * @param keywords names of the flags a to z, which Dovecot keeps in a file
 */
export function maildirStates(levels: readonly string[], keywords: readonly string[]): PlaceStates | null {
  if (!isInMaildir(levels)) return null;
  const flags = MAILDIR_FLAGS.exec(levels.at(-1) ?? '')?.[1];
  const isNew = levels.at(-2) === 'new';
  if (flags === undefined && !isNew) return null;
  const has = (flag: string): boolean => flags?.includes(flag) ?? false;
  const named = [...(flags ?? '')].flatMap((flag) => keywords[flag.charCodeAt(0) - 0x61] ?? []);
  return {
    isDeleted: has('T'),
    labelIds: [
      ...(has('S') ? [] : ['UNREAD']),
      ...(has('F') ? ['STARRED'] : []),
      ...(has('D') ? ['DRAFT'] : []),
      ...named,
    ],
    notKept: statesNotKept(has('R'), has('P')),
  };
}

/** The time at which a message arrived in a Maildir, which its name begins with; null: not known. */
export function maildirArrival(levels: readonly string[]): Date | null {
  const seconds = isInMaildir(levels) ? /^(\d{9,10})\./.exec(levels.at(-1) ?? '')?.[1] : undefined;
  return seconds === undefined ? null : new Date(Number(seconds) * 1_000);
}

/** Names of Dovecot's keywords, `0 name` a line, in the order of their flags. */
export function readDovecotKeywords(file: Buffer): string[] {
  const names: string[] = [];
  for (const [, number, name] of file.toString('utf8').matchAll(/^(\d{1,2}) (.+)$/gm)) {
    const isKept = !/^\$?(?:non|not)?junk$|^\$(?:forwarded|mdnsent)$/i.test(name!);
    if (Number(number) < 26 && isKept) names[Number(number)] = name!.slice(0, MAX_KEYWORD_LENGTH);
  }
  return names;
}

/** The sequences of an MH folder: the messages of each name, as ranges of numbers. */
export type MhSequences = ReadonlyMap<string, readonly (readonly [number, number])[]>;

/** Reads `.mh_sequences`: `unseen: 1-4 7` a line. */
export function readMhSequences(file: Buffer): MhSequences {
  const sequences = new Map<string, readonly (readonly [number, number])[]>();
  for (const [, name, list] of file.toString('utf8').matchAll(/^([^:\s]+):[ \t]*(.*)$/gm)) {
    const ranges = [...list!.matchAll(/(\d+)(?:-(\d+))?/g)].map(
      ([, from, to]) => [Number(from), Number(to ?? from)] as const,
    );
    sequences.set(name!.slice(0, MAX_KEYWORD_LENGTH), ranges);
  }
  return sequences;
}

/** The states of a message in an MH folder; null when the folder has no sequences. Removed messages begin with `,` or `#`. */
export function mhStates(levels: readonly string[], sequences: MhSequences | null): PlaceStates | null {
  const [, removed, digits] = /^([,#]?)(\d{1,9})$/.exec(levels.at(-1) ?? '') ?? [];
  if (digits === undefined) return null;
  const none = { labelIds: [], notKept: [] };
  if (removed !== '') return { ...none, isDeleted: true };
  if (!sequences) return null;
  const number = Number(digits);
  const names = [...sequences].flatMap(([name, ranges]) =>
    ranges.some(([from, to]) => number >= from && number <= to) ? [name] : [],
  );
  const labelIds = names.flatMap((name) => {
    if (name === 'unseen') return ['UNREAD'];
    if (name === 'flagged') return ['STARRED'];
    return name === 'replied' || name === 'forwarded' || MH_INTERNAL.test(name) ? [] : [name];
  });
  const notKept = statesNotKept(names.includes('replied'), names.includes('forwarded'));
  return { isDeleted: false, labelIds, notKept };
}
