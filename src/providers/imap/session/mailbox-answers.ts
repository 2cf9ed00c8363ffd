import type { ImapFlow } from 'imapflow';

/** A line of the server as the client receives it. */
interface Received {
  readonly payload: Buffer;
}

/** Method of the client that receives a line, which its types do not declare. */
interface Receiver {
  handleResponse(received: Received): Promise<boolean>;
}

const MAILBOX_ANSWER = /^\* (?:LIST|LSUB|STATUS) /i;
const LISTED = /^(\* (?:LIST|LSUB) \([^()]*\) +(?:NIL|"(?:[^"\\]|\\.)*") +)(.*)$/is;
const STATUS =
  /^(\* STATUS +)(.*?)( +\((?:(?:MESSAGES|UIDNEXT|UIDVALIDITY|UNSEEN|RECENT|HIGHESTMODSEQ) .*)?\) *)$/is;
/** Extended data (RFC 5258) after the name of a mailbox. */
const EXTENDED = / +\(.*\) *$/s;
/** Characters kept of a line that could not be read. */
const MAX_KEPT = 300;
const MAX_LINES = 1_000;
/** Length beyond which a line has no usable name, in bytes. */
const MAX_LINE = 8_192;

/**
 * Quotes the name of the mailbox in an answer. The client's parser drops atoms that begin with `]` or look like a set
 * of numbers; servers may send both (RFC 3501: ASTRING-CHAR), and GNU mailutils does not even quote spaces.
 * @param line one byte for each character, without its end
 */
export function quoteMailboxName(line: string): string {
  if (line.length > MAX_LINE) return line;
  const [, begin = '', rest = ''] = LISTED.exec(line) ?? [];
  if (begin !== '') {
    if (isString(rest)) return line;
    const extended = EXTENDED.exec(rest)?.[0] ?? '';
    return `${begin}${quote(rest.slice(0, rest.length - extended.length))}${extended}`;
  }
  const [, before = '', name = '', figures = ''] = STATUS.exec(line) ?? [];
  return before === '' || isString(name) ? line : `${before}${quote(name)}${figures}`;
}

/** Whether the text is a quoted string or a literal. */
const isString = (text: string): boolean => /^(?:"|~?\{\d+\+?\})/.test(text);

const quote = (name: string): string => `"${name.trim().replace(/["\\]/g, '\\$&')}"`;

/** Collects the answers with names of mailboxes that the client could not read. */
export class MailboxAnswers {
  private current: string | null = null;
  private lines: string[] = [];

  constructor(client: ImapFlow) {
    const receiver = client as unknown as Receiver;
    if (typeof receiver.handleResponse !== 'function') return;
    const receive = receiver.handleResponse.bind(client);
    receiver.handleResponse = async (received) => {
      const start = received.payload.toString('latin1', 0, 16);
      if (!MAILBOX_ANSWER.test(start)) return receive(received);
      const line = received.payload.toString('latin1').replace(/[\r\n]+$/, '');
      this.current = line;
      const payload = Buffer.from(quoteMailboxName(line), 'latin1');
      const goesOn = await receive({ ...received, payload });
      if (this.current !== null && this.lines.length < MAX_LINES)
        this.lines.push(this.current.slice(0, MAX_KEPT));
      this.current = null;
      return goesOn;
    };
  }

  /** Records that the current answer has been read. */
  markRead(): void {
    this.current = null;
  }

  /** Returns the lines that could not be read since the last call, one byte for each character. */
  takeUnread(): string[] {
    const { lines } = this;
    this.lines = [];
    return lines;
  }
}
