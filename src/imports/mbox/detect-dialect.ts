import { isTakeoutFromLine } from './from-line';
import type { MboxDialect } from './from-line';
import { type MboxEntry, MboxSplitter } from './mbox-splitter';

const HEADER_END = Buffer.from('\r\n\r\n');
const UNQUOTED = Buffer.from('\nFrom ');

/**
 * The dialect of the mbox file that begins with `sample` (a few MiB), or null when it is no mbox file. Decided once for
 * the file, so that an import that is interrupted goes on as it began. Lines `>From ` are unquoted unless the file has
 * body lines `From `: then its writer did not quote, and a `>` is the message's own. Of mboxo files, which cannot be
 * distinguished from mboxrd ones, so most lines are restored.
 */
export function detectDialect(sample: Buffer): MboxDialect | null {
  const entries = split(sample, { takeout: false, unquote: false });
  const first = entries.find(({ fromLine }) => fromLine !== '');
  if (!first) return null;
  const takeout = isTakeoutFromLine(first.fromLine);
  const seen = takeout ? split(sample, { takeout, unquote: false }) : entries;
  return { takeout, unquote: !seen.some(hasUnquotedFrom) };
}

function split(sample: Buffer, dialect: MboxDialect): MboxEntry[] {
  const splitter = new MboxSplitter(dialect, { maxMessageBytes: sample.length });
  splitter.write(sample);
  splitter.end();
  const entries: MboxEntry[] = [];
  for (let entry = splitter.next(); entry; entry = splitter.next()) entries.push(entry);
  return entries;
}

function hasUnquotedFrom({ raw }: MboxEntry): boolean {
  const header = raw?.indexOf(HEADER_END) ?? -1;
  return raw !== null && header !== -1 && raw.includes(UNQUOTED, header + HEADER_END.length - 1);
}
