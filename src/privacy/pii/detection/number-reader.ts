import { isDash, isDigitAt, isInvisible, isSpace } from '../../../platform/text/characters';

/** A number in its written form: digits in groups. */
export interface WrittenNumber {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
  /** Lengths of the groups of digits. */
  readonly groups: readonly number[];
  /** Offset in the text at which each group ends. */
  readonly ends: readonly number[];
  /**
   * Separators between the groups, one fewer than groups: ` `, `-`, `.`, `/` or a line end, of whatever kind they are.
   */
  readonly separators: readonly string[];
}

/** Length of the longest separator between two groups of digits: two spaces occur, and ` - `. */
const MAX_GAP = 3;

/** The kinds of separators a number may have, as `gapAfter` names them. */
export type Separators = ReadonlySet<string>;

/**
 * Reads a number from its first digit on: whole groups of digits with one of the separators between them, `maxDigits`
 * at most, until `accepts` refuses the groups so far. The work is bounded by `maxDigits`, whatever follows.
 * @param accepts called with the digits read after each group that another one follows
 */
export function readNumber(
  text: string,
  start: number,
  maxDigits: number,
  separators: Separators,
  accepts: (digitsSoFar: number) => boolean = () => true,
): WrittenNumber | null {
  const groups: number[] = [];
  const ends: number[] = [];
  const between: string[] = [];
  let digits = '';
  let kind: string | null = null;
  let at = start;
  for (;;) {
    let end = at;
    while (end - at <= maxDigits - digits.length && isDigitAt(text, end)) end++;
    // With one digit too many, the number ends with the group before.
    if (digits.length + end - at > maxDigits) break;
    digits += text.slice(at, end);
    if (kind === '') {
      groups[groups.length - 1]! += end - at;
      ends[ends.length - 1] = end;
    } else {
      if (kind !== null) between.push(kind);
      groups.push(end - at);
      ends.push(end);
    }
    const gap = digits.length < maxDigits ? gapAfter(text, end) : null;
    if (!gap || !isDigitAt(text, gap.end)) break;
    if (gap.kind !== '' && !(separators.has(gap.kind) && accepts(digits.length))) break;
    kind = gap.kind;
    at = gap.end;
  }
  return groups.length === 0 ? null : { digits, start, end: ends.at(-1)!, groups, ends, separators: between };
}

/** The number with only its first `groups` groups. */
export function shorten(number: WrittenNumber, groups: number): WrittenNumber {
  if (groups === number.groups.length) return number;
  const kept = number.groups.slice(0, groups);
  return {
    ...number,
    digits: number.digits.slice(
      0,
      kept.reduce((sum, length) => sum + length, 0),
    ),
    end: number.ends[groups - 1]!,
    groups: kept,
    ends: number.ends.slice(0, groups),
    separators: number.separators.slice(0, groups - 1),
  };
}

/**
 * The kind of separator between a group and the next: ` `, `-`, `.`, `/`, `\n`, or empty for invisible characters.
 * null when no separator follows.
 */
export function gapAfter(text: string, at: number): { kind: string; end: number } | null {
  let kind = '';
  let end = at;
  while (end - at < MAX_GAP) {
    const character = text.charAt(end);
    const found = kindOf(character);
    if (found === null) break;
    if (found !== '' && found !== ' ') {
      if (kind !== '' && kind !== ' ') return null;
      kind = found;
    } else if (kind === '') kind = found;
    end++;
  }
  return end === at ? null : { kind, end };
}

function kindOf(character: string): string | null {
  if (character >= '0' && character <= 'z') return null;
  if (isSpace(character)) return ' ';
  if (isDash(character)) return '-';
  if (isInvisible(character)) return '';
  return character === '.' || character === '/' || character === '\n' ? character : null;
}
