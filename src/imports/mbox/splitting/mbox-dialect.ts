import { isDatedFromLine, isTakeoutFromLine } from './from-line';

/** What is known of a file before it is split. */
export interface MboxDialect {
  /**
   * What separates messages: a From_ line with a date, one of Google Takeout, or, in a file that does not write dates,
   * any line `From ` that a header follows.
   */
  readonly separator: 'dated' | 'takeout' | 'undated';
  /** mboxcl, mboxcl2: messages say how long they are; believed only where a From_ line or the end of the file follows. */
  readonly contentLength: boolean;
  /** Whether the file's writer quoted body lines that begin with `From `. */
  readonly unquote: boolean;
}

/** Whether a line, without its line end, can separate messages in a file of this kind. */
export function isSeparator({ separator }: Pick<MboxDialect, 'separator'>, line: string): boolean {
  if (separator === 'takeout') return isTakeoutFromLine(line);
  return separator === 'undated' ? line.startsWith('From ') : isDatedFromLine(line);
}
