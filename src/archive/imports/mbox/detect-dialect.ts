import { isTakeoutFromLine } from './from-line';
import type { MboxDialect } from './from-line';
import { LOOK_AHEAD, type MboxEntry, MboxSplitter } from './mbox-splitter';

const HEADER_END = Buffer.from('\r\n\r\n');
const FROM_LINE = Buffer.from('\nFrom ');

/**
 * The dialect of the mbox file that begins with `start` (a few MiB), or null when it is no mbox file. Decided once for
 * the file, so that an import that is interrupted goes on as it began. Lines `>From ` are unquoted unless the file has
 * body lines `From `: then its writer did not quote, and a `>` is the message's own. In mboxo files, which cannot
 * be distinguished from mboxrd ones, most lines are restored in this way.
 * @param start the whole file if it has fewer bytes than `sampleBytes`
 */
export function detectDialect(start: Buffer, sampleBytes = Infinity): MboxDialect | null {
  const sample = start.length < sampleBytes ? start : dropUndecided(start);
  const entries = split(sample, { takeout: false, unquote: false });
  const first = entries.find(({ fromLine }) => fromLine !== '');
  if (!first) return null;
  const takeout = isTakeoutFromLine(first.fromLine);
  const seen = takeout ? split(sample, { takeout, unquote: false }) : entries;
  return { takeout, unquote: !seen.some(hasUnquotedFrom) };
}

/** The sample without a From_ line at its end, which may be a separator or text: the missing next line decides. */
function dropUndecided(sample: Buffer): Buffer {
  let end = sample.length;
  for (
    let at = end;
    at > 0 && at >= sample.length - LOOK_AHEAD;
    at = sample.lastIndexOf(FROM_LINE, end - 1)
  ) {
    end = at;
  }
  return sample.subarray(0, end);
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
  return raw !== null && header !== -1 && raw.includes(FROM_LINE, header + HEADER_END.length - 1);
}
