const LF = 0x0a;
const CR = 0x0d;
const GREATER = 0x3e;
const FROM = Buffer.from('From ');
/** State of the line scanner when the rest of the line cannot need quoting. */
const REST_OF_LINE = -1;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export interface MboxEnvelope {
  /** Sender as a bare address or `Name <address>`; without an address MAILER-DAEMON is written. */
  sender: string;
  date: Date;
}

/**
 * One message in mboxrd form: the From_ line, the message with LF line ends, body lines that match `^>*From ` quoted
 * with one more `>`, an empty line. The header block is never quoted.
 */
export function mboxEntry(message: Buffer, envelope: MboxEnvelope): Buffer[] {
  const line = fromLine(envelope);
  if (!message.includes(FROM)) return [Buffer.from(line + linesOf(message), 'latin1')];
  const quoter = new MboxQuoter();
  return [Buffer.from(line), quoter.write(message), quoter.end()];
}

/** The result of the quoter for a message without lines to quote, as most are, in half the time. */
function linesOf(message: Buffer): string {
  const text = message.toString('latin1').split('\r\n').join('\n');
  return text === '' || text.endsWith('\n') ? `${text}\n` : `${text}\n\n`;
}

/** The separator line with its LF: `From alice@example.com Thu Nov 24 18:22:48 1986`, in UTC. */
export function fromLine({ sender, date }: MboxEnvelope): string {
  const bracketed = /<([^<>]*)>[^<>]*$/.exec(sender.slice(-1_000))?.[1] ?? sender;
  const address = /^[\x21-\x7e]+@[\x21-\x7e]+$/.test(bracketed.trim()) ? bracketed.trim() : 'MAILER-DAEMON';
  return `From ${address} ${asctime(date)}\n`;
}

function asctime(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  const day = String(date.getUTCDate()).padStart(2, ' ');
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} ${year}`;
}

/**
 * Converts line ends and quotes, from pieces cut anywhere. It holds back at most a CR and the first four letters of
 * `From `: quoting only lengthens a run of `>`, so the run itself can be written before the line is decided.
 */
export class MboxQuoter {
  private inHeader = true;
  private heldCr = false;
  /** Number of bytes of `From ` that the line matches so far, after any `>`; they are held back. */
  private matched = 0;
  private lineIsEmpty = true;
  private lastByte = LF;

  /** @param keepsLineEnds of the message, so that a reader of the mbox gets its very bytes back */
  constructor(private readonly keepsLineEnds = false) {}

  write(chunk: Buffer): Buffer {
    // At worst every `From ` gains a byte, and the bytes held back come first.
    const out = Buffer.allocUnsafe(chunk.length + Math.ceil(chunk.length / 5) + 8);
    let length = 0;
    let pos = 0;
    while (pos < chunk.length) {
      if (this.heldCr) {
        this.heldCr = false;
        if (chunk[pos] !== LF) length = this.putByte(out, length, CR);
      }
      if (this.matched !== REST_OF_LINE) {
        length = this.scanStart(chunk, pos, out, length);
        pos++;
        continue;
      }
      const lf = chunk.indexOf(LF, pos);
      let end = lf === -1 ? chunk.length : lf;
      if (end > pos && chunk[end - 1] === CR && !this.keepsLineEnds) {
        end--;
        if (lf === -1) this.heldCr = true;
      }
      if (end > pos) {
        length += chunk.copy(out, length, pos, end);
        this.lastByte = out[length - 1] as number;
      }
      if (lf === -1) break;
      length = this.endLine(out, length);
      pos = lf + 1;
    }
    return out.subarray(0, length);
  }

  /** The bytes held back, a missing line end, and the empty line between messages. */
  end(): Buffer {
    const out = Buffer.alloc(FROM.length + 3);
    let length = this.heldCr ? this.putByte(out, 0, CR) : 0;
    length = this.releaseMatch(out, length);
    if (this.lastByte !== LF) out[length++] = LF;
    out[length++] = LF;
    return out.subarray(0, length);
  }

  /** Takes one byte while the line may still begin with `>*From `. */
  private scanStart(chunk: Buffer, pos: number, out: Buffer, length: number): number {
    const byte = chunk[pos] as number;
    if (byte === CR && !this.keepsLineEnds) {
      this.heldCr = true;
      return length;
    }
    if (byte === LF) return this.endLine(out, this.releaseMatch(out, length));
    if (this.inHeader) return this.putByte(out, length, byte);
    if (byte === GREATER && this.matched === 0) {
      this.lineIsEmpty = false;
      out[length++] = byte;
      this.lastByte = byte;
      return length;
    }
    if (byte !== FROM[this.matched]) return this.putByte(out, length, byte);
    this.lineIsEmpty = false;
    if (++this.matched < FROM.length) return length;
    out[length++] = GREATER;
    return this.releaseMatch(out, length);
  }

  private putByte(out: Buffer, length: number, byte: number): number {
    length = this.releaseMatch(out, length);
    out[length++] = byte;
    this.lastByte = byte;
    this.lineIsEmpty = this.lineIsEmpty && byte === CR && this.keepsLineEnds;
    return length;
  }

  private releaseMatch(out: Buffer, length: number): number {
    if (this.matched > 0) {
      length += FROM.copy(out, length, 0, this.matched);
      this.lastByte = out[length - 1] as number;
    }
    this.matched = REST_OF_LINE;
    return length;
  }

  private endLine(out: Buffer, length: number): number {
    out[length++] = LF;
    this.lastByte = LF;
    if (this.lineIsEmpty) this.inHeader = false;
    this.lineIsEmpty = true;
    this.matched = 0;
    return length;
  }
}
