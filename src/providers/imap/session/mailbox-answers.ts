import type { ImapFlow } from 'imapflow';

/** A line of the server as the client takes it in. */
interface Received {
  readonly payload: Buffer;
}

/** The client's way to take in a line, which its types do not name. */
interface Receiver {
  handleResponse(received: Received): Promise<boolean>;
}

const MAILBOX_ANSWER = /^\* (?:LIST|LSUB|STATUS) /i;
const LISTED = /^(\* (?:LIST|LSUB) \([^()]*\) +(?:NIL|"(?:[^"\\]|\\.)*") +)(.*)$/is;
const STATUS =
  /^(\* STATUS +)(.*?)( +\((?:(?:MESSAGES|UIDNEXT|UIDVALIDITY|UNSEEN|RECENT|HIGHESTMODSEQ) .*)?\) *)$/is;
/** Extended data (RFC 5258) after the name of a mailbox. */
const EXTENDED = / +\(.*\) *$/s;
/** Of a line that could not be read, so much is kept. */
const MAX_KEPT = 300;
const MAX_LINES = 1_000;
/** A line that is longer has no name that could be used. */
const MAX_LINE = 8_192;

/**
 * The same answer with the name of its mailbox as a quoted string. The client's parser drops atoms that begin with `]`
 * or look like a set of numbers; servers may send both (RFC 3501: ASTRING-CHAR). GNU mailutils does not even quote spaces.
 * @param line one byte for each character, without its end
 */
export function quoteMailboxName(line: string): string {
  if (line.length > MAX_LINE) return line;
  const [, begin = '', rest = ''] = LISTED.exec(line) ?? [];
  if (begin !== '') {
    if (isString(rest)) return line;
    const extended = EXTENDED.exec(rest)?.[0] ?? '';
    return `${begin}${quoted(rest.slice(0, rest.length - extended.length))}${extended}`;
  }
  const [, before = '', name = '', figures = ''] = STATUS.exec(line) ?? [];
  return before === '' || isString(name) ? line : `${before}${quoted(name)}${figures}`;
}

/** Whether it is a quoted string or a literal already. */
const isString = (text: string): boolean => /^(?:"|~?\{\d+\+?\})/.test(text);

const quoted = (name: string): string => `"${name.trim().replace(/["\\]/g, '\\$&')}"`;

/** The answers of a client's server that name mailboxes: which of them could not be read. */
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

  /** Notes that the answer under way has been read. */
  markRead(): void {
    this.current = null;
  }

  /** The lines that were not read since this was last asked, one byte for each character. */
  takeUnread(): string[] {
    const { lines } = this;
    this.lines = [];
    return lines;
  }
}
