import { isCertain, MAX_FROM_LINE, type MboxDialect } from './from-line';
import type { ReadDamage } from '../containers/read-damage';
import { EMPTY, largerThan, NO_FROM_LINE } from './mbox-damage';
import { messageBytes } from './message-bytes';
import { SplitWindow } from './split-window';

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const SPACE = 0x20;
const TAB = 0x09;
const BLANK = new Set([SPACE, TAB, LF, CR]);
const FROM = Buffer.from('From ');
const QUOTED_FROM = Buffer.from('>From ');
const SEPARATOR_START = Buffer.from('\nFrom ');
const SLASHES = Buffer.from('//');
/** Bytes of a line in which the name of a header field is looked for. */
const MAX_FIELD_NAME = 128;
/** Bytes of a header after which the splitter no longer waits for a Content-Length. */
const MAX_HEADER = 512 * 1024;
const CONTENT_LENGTH = /^content-length:[ \t]*(\d{1,12})[ \t]*\r?$/im;
/** Bytes of a header in which a field is looked for that shows it to be one of a message. */
const MAX_FIELDS_READ = 8 * 1024;
/** Fields that the header of a message has: of any text, the lines after `From …:` may look like fields. */
const MESSAGE_FIELD =
  /^(?:from|date|subject|received|message-id|to|sender|return-path|delivered-to|mime-version|content-type|content-length|dkim-signature|x-mozilla-status|x-gm-thrid)[ \t]*:/i;
/** Bytes kept before the position of the scan: enough to see whether the line before is empty. */
const LOOK_BEHIND = 4;
/** Bytes that decide whether a Content-Length leads to a separator: two line ends, two From_ lines, the name of a field. */
export const LOOK_AHEAD =
  4 + 2 * (MAX_FROM_LINE + 2) + BOM.length + MAX_FIELD_NAME + SLASHES.length + MAX_FIELDS_READ;

/** An entry of an mbox file: a message, or text that is no message. */
export interface MboxEntry {
  /** Offset of the entry's first byte, which is the separator's, in the (uncompressed) file. */
  readonly offset: number;
  /** Offset of the byte after the entry, at which the next one begins. */
  readonly end: number;
  /** Message in the form in which it is stored; null: the entry is no message. */
  readonly raw: Buffer | null;
  /** The separator, without line end; one UTF-16 unit per byte. */
  readonly fromLine: string;
  /** Reason why there is no message; null: there is one. */
  readonly damage: ReadDamage | null;
  /** Number of lines that begin with `From ` and were taken for text. */
  readonly fromLinesInText: number;
}

export interface SplitterOptions {
  readonly maxMessageBytes: number;
  /** Offset in the file of the first byte to be written: that of a separator, unless 0. */
  readonly offset?: number;
}

/** The message that is being split off; offsets are those of the file. */
interface Current {
  readonly offset: number;
  readonly content: number;
  readonly fromLine: string;
  /** Offset from which the search for the line feed before the next separator goes on. */
  scan: number;
  /** Start of the first header line that has not been read. */
  line: number;
  /** Offset after the empty line that ends the header; -1 until it is known. */
  body: number;
  /** Content-Length; undefined until the header is complete, null when there is no credible one. */
  length: number | null | undefined;
  /** Number of `From ` lines before `scan` that were taken for text. */
  fromLinesInText: number;
}

/** End of a message according to its Content-Length, and start of the next one. */
interface LengthEnd {
  readonly contentEnd: number;
  readonly next: number;
}

interface Found {
  /** Offset of the line feed before the next separator; -1: none. */
  readonly lineFeed: number;
  /** Offset from which a later search goes on. */
  readonly scan: number;
  /** Number of `From ` lines that were passed over. */
  readonly fromLinesInText: number;
}

type Verdict = 'yes' | 'no' | 'wait';

/** Where a line stands that may be a separator. */
interface LineContext {
  readonly afterEmptyLine: boolean;
  /** Whether the message before has reached its body. */
  readonly inBody: boolean;
  /** Whether no message comes before it: any field may follow. */
  readonly isFirst?: boolean;
}

const AT_START: LineContext = { afterEmptyLine: true, inBody: true, isFirst: true };

/**
 * Splits an mbox file (RFC 4155 and its relatives) that comes in pieces cut anywhere. Works on bytes: nothing is
 * decoded but lines that may be separators. Holds one message at most, and no bytes of one beyond the limit.
 *
 * A separator is a line `From ` at the file's start or after an empty line that the header of a message follows, whatever
 * its date: fields, among them one that messages have. Text of that shape (`From tomorrow on the rules are`, then
 * `Note: …`) has none of these. A line with a complete date also separates without the header, or, where the message
 * before has reached its body, without the empty line. One empty line before a separator belongs to it.
 *
 * A Content-Length (mboxcl, mboxcl2) counts only where it leads to a separator or to the end of the file: many are
 * wrong.
 */
export class MboxSplitter {
  private readonly window: SplitWindow;
  private current: Current | null = null;
  /** Offset of text before the first separator, which is no message; -1: none. */
  private junk = -1;
  private fromLinesInJunk = 0;
  private position: number;
  private ended = false;
  /** Whether all entries have been returned. */
  private stopped = false;
  private cutOff: ReadDamage | null = null;

  constructor(
    private readonly dialect: MboxDialect,
    private readonly options: SplitterOptions,
  ) {
    this.position = options.offset ?? 0;
    this.window = new SplitWindow(this.position);
  }

  /** Takes the next piece; call `next` until it returns null before the following one. */
  write(chunk: Buffer): void {
    this.window.append(chunk);
  }

  /**
   * Ends the input; `next` returns the rest.
   * @param cutOff reason why the file ends too early, so that its last message cannot be trusted; null: it does not
   */
  end(cutOff: ReadDamage | null = null): void {
    this.ended = true;
    this.cutOff = cutOff;
  }

  /** The next entry, or null when more pieces are needed or nothing is left. */
  next(): MboxEntry | null {
    if (this.stopped) return null;
    return this.current ? this.nextOf(this.current) : this.first();
  }

  private first(): MboxEntry | null {
    if (this.junk === -1 && !this.skipBlank()) return null;
    if (this.junk === -1) {
      const verdict = this.separatorAt(this.position, AT_START);
      if (verdict === 'wait') return null;
      if (verdict === 'yes') {
        this.beginOrStop(this.position);
        return this.next();
      }
      this.junk = this.position;
      if (this.window.startsWith(FROM, this.junk)) this.fromLinesInJunk = 1;
    }
    const found = this.findSeparator(this.position, () => true);
    this.position = found.scan;
    this.fromLinesInJunk += found.fromLinesInText;
    if (found.lineFeed === -1 && !this.ended) {
      this.window.discardBefore(found.scan - LOOK_BEHIND);
      return null;
    }
    const end = found.lineFeed === -1 ? this.window.end : found.lineFeed + 1;
    const entry = noMessage(this.junk, end, this.fromLinesInJunk);
    this.beginOrStop(end);
    return entry;
  }

  /** Passes over text before the first separator. @returns false when there is no other text yet */
  private skipBlank(): boolean {
    const { window } = this;
    if (this.position === 0) {
      if (window.end < BOM.length && !this.ended) return false;
      if (window.startsWith(BOM, 0)) this.position = BOM.length;
    }
    while (this.position < window.end && BLANK.has(window.byte(this.position))) this.position++;
    window.discardBefore(this.position);
    return this.position < window.end;
  }

  /** @param offset of a separator that has been checked, or the end of the file */
  private beginOrStop(offset: number): void {
    this.stopped = offset === this.window.end;
    const lineEnd = this.window.indexOf(LF, offset);
    const content = lineEnd === -1 ? this.window.end : lineEnd + 1;
    this.window.discardBefore(offset);
    this.current = {
      offset,
      content,
      fromLine: this.window.text(offset, content).trimEnd(),
      scan: content - 1,
      line: content,
      body: -1,
      length: undefined,
      fromLinesInText: 0,
    };
  }

  private nextOf(current: Current): MboxEntry | null {
    const byLength = this.endByLength(current);
    if (byLength === 'wait') return null;
    if (byLength) return this.finishByLength(current, byLength);
    const found = this.findSeparator(current.scan, (lineFeed) => this.isInBody(current, lineFeed));
    current.scan = found.scan;
    current.fromLinesInText += found.fromLinesInText;
    if (found.lineFeed !== -1) return this.finish(current, found.lineFeed + 1);
    if (this.ended) return this.finish(current, this.window.end);
    if (current.scan - current.content > this.options.maxMessageBytes) {
      this.window.discardBefore(current.scan - LOOK_BEHIND);
    }
    return null;
  }

  private isInBody(current: Current, lineFeed: number): boolean {
    this.readHeader(current);
    const isTooLarge = lineFeed - current.content > this.options.maxMessageBytes;
    return isTooLarge || (current.body !== -1 && current.body <= lineFeed + 1);
  }

  private finishByLength(current: Current, { contentEnd, next }: LengthEnd): MboxEntry {
    const { lineFeed } = this.findSeparator(
      current.scan,
      (at) => this.isInBody(current, at),
      // The line feed before the next separator is the last one that can end this message.
      next,
    );
    current.fromLinesInText = this.countFromLines(current.content - 1, next - 1);
    // The separator tells the end better than the length, unless it is one of the message's own lines.
    const isExact = lineFeed !== -1 && lineFeed + 1 !== next;
    return isExact ? this.finish(current, next, contentEnd) : this.finish(current, next);
  }

  /** Number of `From ` lines whose preceding line feed lies in `[from, to)`. */
  private countFromLines(from: number, to: number): number {
    let count = 0;
    for (let at = this.window.indexOf(SEPARATOR_START, from); at !== -1 && at < to; count++) {
      at = this.window.indexOf(SEPARATOR_START, at + 1);
    }
    return count;
  }

  /** @param exactEnd end of the content; undefined: it ends at `next`, without the empty line before it */
  private finish(current: Current, next: number, exactEnd?: number): MboxEntry {
    const end = exactEnd ?? this.dropEmptyLine(current.content, next);
    const { offset, fromLine, fromLinesInText } = current;
    const damage = this.damageOf(end - current.content, next);
    let raw: Buffer | null = null;
    if (damage === null) {
      this.readHeader(current);
      const body = current.body === -1 ? end : Math.min(current.body, end);
      raw = messageBytes(
        this.window.view(current.content, end),
        body - current.content,
        this.dialect.unquote,
      );
    }
    this.beginOrStop(next);
    return { offset, end: next, fromLine, fromLinesInText, raw, damage };
  }

  private damageOf(size: number, next: number): ReadDamage | null {
    const { maxMessageBytes } = this.options;
    if (size > maxMessageBytes) return largerThan(maxMessageBytes);
    if (this.ended && next === this.window.end && this.cutOff !== null) return this.cutOff;
    return size === 0 ? EMPTY : null;
  }

  private dropEmptyLine(content: number, end: number): number {
    const { window } = this;
    const isEnd = (at: number): boolean => at === content || (at > content && window.byte(at - 1) === LF);
    if (end <= content || end - 1 < window.start || window.byte(end - 1) !== LF) return end;
    if (isEnd(end - 1)) return end - 1;
    if (end - 2 >= content && window.byte(end - 2) === CR && isEnd(end - 2)) return end - 2;
    return end;
  }

  /**
   * The end of the message according to its Content-Length: false when there is none, or a wrong one. A length beyond the
   * limit is ignored: it would make the rest of the file one message.
   */
  private endByLength(current: Current): false | 'wait' | LengthEnd {
    if (current.length === undefined) {
      this.readHeader(current);
      if (current.body === -1 && !this.ended && this.window.end - current.content <= MAX_HEADER)
        return 'wait';
      current.length = this.lengthOf(current);
    }
    if (current.length === null) return false;
    const contentEnd = current.body + current.length;
    if (!this.ended && this.window.end - contentEnd < LOOK_AHEAD) return 'wait';
    const next = this.findFollowingSeparator(contentEnd);
    if (next !== null) return { contentEnd, next };
    current.length = null;
    return false;
  }

  private lengthOf({ content, body }: Current): number | null {
    if (body === -1 || body - content > MAX_HEADER) return null;
    const value = CONTENT_LENGTH.exec(this.window.text(content, body))?.[1];
    const length = value === undefined ? null : Number(value);
    return length === null || length > this.options.maxMessageBytes ? null : length;
  }

  /**
   * Start of the separator that follows `at`, or the end of the file, with at most two line ends between; else null.
   */
  private findFollowingSeparator(at: number): number | null {
    const { window } = this;
    if (at > window.end) return null;
    for (let pos = at, lineEnds = 0; lineEnds <= 2; lineEnds++) {
      if (pos === window.end) return pos;
      const isLineStart = window.byte(pos - 1) === LF;
      if (isLineStart && this.separatorAt(pos, { afterEmptyLine: true, inBody: true }) === 'yes') return pos;
      if (window.byte(pos) === CR && pos + 1 < window.end) pos++;
      if (window.byte(pos) !== LF) return null;
      pos++;
    }
    return null;
  }

  /** Searches the whole lines that have arrived for the end of the header. */
  private readHeader(current: Current): void {
    const { window } = this;
    if (current.line < window.start) return;
    while (current.body === -1) {
      const lineEnd = window.indexOf(LF, current.line);
      if (lineEnd === -1) return;
      const length = lineEnd - current.line;
      if (length === 0 || (length === 1 && window.byte(current.line) === CR)) current.body = lineEnd + 1;
      current.line = lineEnd + 1;
    }
  }

  /**
   * The next separator whose line feed lies in `[from, until)`.
   * @param isInBody tells whether the header of the message before has ended at a line feed
   */
  private findSeparator(from: number, isInBody: (lineFeed: number) => boolean, until = Infinity): Found {
    const { window } = this;
    let fromLinesInText = 0;
    for (let scan = from; ;) {
      const lineFeed = window.indexOf(SEPARATOR_START, scan);
      if (lineFeed === -1 || lineFeed >= until) {
        const rest = Math.max(scan, window.end - SEPARATOR_START.length + 1);
        return { lineFeed: -1, scan: rest, fromLinesInText };
      }
      const afterEmptyLine = this.isAfterEmptyLine(lineFeed);
      const inBody = afterEmptyLine || isInBody(lineFeed);
      const verdict = this.separatorAt(lineFeed + 1, { afterEmptyLine, inBody });
      if (verdict === 'wait') return { lineFeed: -1, scan: lineFeed, fromLinesInText };
      if (verdict === 'yes') return { lineFeed, scan: lineFeed, fromLinesInText };
      fromLinesInText++;
      scan = lineFeed + 1;
    }
  }

  private isAfterEmptyLine(lineFeed: number): boolean {
    const { window } = this;
    let before = lineFeed - 1;
    if (before >= window.start && window.byte(before) === CR) before--;
    return before >= window.start && window.byte(before) === LF;
  }

  private separatorAt(start: number, context: LineContext): Verdict {
    const { window } = this;
    if (!context.afterEmptyLine && !context.inBody) return 'no';
    if (!window.startsWith(FROM.subarray(0, window.end - start), start)) return 'no';
    const limit = start + MAX_FROM_LINE;
    let lineEnd = window.indexOf(LF, start);
    if (lineEnd === -1 || lineEnd > limit) {
      if (lineEnd !== -1 || window.end > limit) return 'no';
      if (!this.ended) return 'wait';
      lineEnd = window.end;
    }
    const isFromLine = (): boolean => isCertain(this.dialect, window.text(start, lineEnd).replace(/\r$/, ''));
    const header = this.headerAt(lineEnd + 1);
    if (header === 'wait') return context.afterEmptyLine && isFromLine() ? 'yes' : 'wait';
    // After an empty line, the header of a message or a From_ line suffices; otherwise a field and a From_ line are needed.
    if (!context.afterEmptyLine) return header === 'yes' && isFromLine() ? 'yes' : 'no';
    if (isFromLine()) return 'yes';
    return header === 'yes' && !context.isFirst ? this.messageHeaderAt(lineEnd + 1) : header;
  }

  /** Whether one of the fields at an offset is one of a message. The first line is a field or another From_ line. */
  private messageHeaderAt(start: number): Verdict {
    const { window } = this;
    const limit = start + MAX_FIELDS_READ;
    for (let pos = window.startsWith(BOM, start) ? start + BOM.length : start; pos < limit;) {
      const lineEnd = window.indexOf(LF, pos);
      if (lineEnd === -1 && !this.ended && window.end < limit) return 'wait';
      const end = lineEnd === -1 ? Math.min(window.end, limit) : lineEnd;
      const line = window.text(pos, Math.min(end, pos + MAX_FIELD_NAME)).replace(/\r$/, '');
      if (line === '') return 'no';
      if (MESSAGE_FIELD.test(line)) return 'yes';
      const isFirst = pos <= start + BOM.length;
      if (!isFirst && !/^[ \t]|^[\x21-\x39\x3b-\x7e]+[ \t]*:/.test(line)) return 'no';
      if (lineEnd === -1) return 'no';
      pos = lineEnd + 1;
    }
    // Prose does not have so many lines of fields, and a separator that is missed would hide a message in another.
    return 'yes';
  }

  /** Whether a header begins at an offset: a field, perhaps after a byte order mark or another From_ line. */
  private headerAt(lineStart: number): Verdict {
    const { window } = this;
    if (window.end < lineStart + QUOTED_FROM.length && !this.ended) return 'wait';
    if (!window.startsWith(FROM, lineStart) && !window.startsWith(QUOTED_FROM, lineStart)) {
      return this.fieldAt(window.startsWith(BOM, lineStart) ? lineStart + BOM.length : lineStart);
    }
    const lineEnd = window.indexOf(LF, lineStart);
    const limit = lineStart + MAX_FROM_LINE;
    if (lineEnd === -1 && window.end <= limit && !this.ended) return 'wait';
    return lineEnd === -1 || lineEnd > limit ? 'no' : this.fieldAt(lineEnd + 1);
  }

  private fieldAt(start: number): Verdict {
    const { window } = this;
    let isNameOver = false;
    for (let pos = start; pos < start + MAX_FIELD_NAME; pos++) {
      if (pos >= window.end) return this.ended ? 'no' : 'wait';
      const byte = window.byte(pos);
      if (byte === COLON) return pos === start ? 'no' : this.checkFieldName(pos);
      // RFC 5322 §4.5: obsolete syntax allows white space before the colon.
      const isBlank = byte === SPACE || byte === TAB;
      if (isBlank ? pos === start : isNameOver || byte < SPACE || byte > 0x7e) return 'no';
      isNameOver ||= isBlank;
    }
    return 'no';
  }

  /** Whether the text before a colon is the name of a field, and not the scheme of a web address. */
  private checkFieldName(colon: number): Verdict {
    const { window } = this;
    if (window.startsWith(SLASHES, colon + 1)) return 'no';
    return window.end < colon + 1 + SLASHES.length && !this.ended ? 'wait' : 'yes';
  }
}

const noMessage = (offset: number, end: number, fromLinesInText: number): MboxEntry => ({
  offset,
  end,
  raw: null,
  fromLine: '',
  damage: NO_FROM_LINE,
  fromLinesInText,
});
