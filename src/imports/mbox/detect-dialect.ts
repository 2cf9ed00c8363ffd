import { isDatedFromLine, isTakeoutFromLine, MAX_FROM_LINE } from './from-line';
import type { MboxDialect } from './from-line';
import { MboxSplitter } from './mbox-splitter';

const HEADER_END = Buffer.from('\r\n\r\n');
const UNQUOTED = Buffer.from('\nFrom ');

interface Message {
  readonly raw: Buffer;
  readonly byLength: boolean;
}

/**
 * The dialect of the mbox file that begins with `sample` (a few MiB), or null when it is no mbox file. Decided once for
 * the file, so that an import that is interrupted goes on as it began:
 * - lengths are believed when every message seen has a right one;
 * - lines `>From ` are unquoted unless the file has body lines `From `: then its writer did not quote, and a `>` is the
 *   message's own. Of mboxo files, which cannot be distinguished from mboxrd ones, so most lines are restored.
 * @param isWhole whether the sample is the whole file
 */
export function detectDialect(sample: Buffer, isWhole: boolean): MboxDialect | null {
  const separator = separatorOf(sample);
  if (separator === null) return null;
  const messages = split(sample, { separator, contentLength: true, unquote: false });
  // Of a sample that is not the whole file, the last message is incomplete.
  const complete = isWhole ? messages : messages.slice(0, -1);
  const contentLength = complete.every(({ byLength }) => byLength);
  const seen = contentLength ? messages : split(sample, { separator, contentLength: false, unquote: false });
  return { separator, contentLength, unquote: !seen.some(hasUnquotedFrom) };
}

function separatorOf(sample: Buffer): MboxDialect['separator'] | null {
  const firstLine =
    /^(?:\xef\xbb\xbf)?\s*([^\r\n]*)/.exec(sample.toString('latin1', 0, 16 * 1024))?.[1] ?? '';
  if (firstLine.length <= MAX_FROM_LINE && isTakeoutFromLine(firstLine)) return 'takeout';
  if (firstLine.length <= MAX_FROM_LINE && isDatedFromLine(firstLine)) return 'dated';
  // Something else stands first; the messages may come after it.
  const candidates: readonly MboxDialect['separator'][] = firstLine.startsWith('From ')
    ? ['undated']
    : ['takeout', 'dated'];
  for (const separator of candidates) {
    const messages = split(sample, { separator, contentLength: false, unquote: false });
    if (messages.length > 0) return separator;
  }
  return null;
}

function split(sample: Buffer, dialect: MboxDialect): Message[] {
  const splitter = new MboxSplitter(dialect, { maxMessageBytes: sample.length });
  splitter.write(sample);
  splitter.end();
  const messages: Message[] = [];
  for (let entry = splitter.next(); entry; entry = splitter.next()) {
    if (entry.raw) messages.push({ raw: entry.raw, byLength: entry.byLength });
  }
  return messages;
}

function hasUnquotedFrom({ raw }: Message): boolean {
  const header = raw.indexOf(HEADER_END);
  return header !== -1 && raw.includes(UNQUOTED, header + HEADER_END.length - 1);
}
