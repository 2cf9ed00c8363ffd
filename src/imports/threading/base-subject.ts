import { createHash } from 'node:crypto';

/** Words mail programs put before the subject of a reply or a forwarded message, with a colon and maybe a count. */
const PREFIXES =
  're|fwd?|aw|wg|tr|rv|sv|vs|vb|vl|antw|antwort|doorst|ref|réf|rif|res|enc|odp|pd|ynt|ilt|atb|vá|fs|σχετ|πρθ|απ|' +
  'ha|na|hl|bls|trs|回复|答复|转发|回覆|轉寄|返信|転送|답장|전달';
const REPLY = new RegExp(`(?:${PREFIXES})\\s*(?:\\[\\d+\\]|\\(\\d+\\)|\\^\\d+)?\\s*:\\s*`, 'uy');
/** The name of a mailing list, and other marks in brackets. */
const MARK = /\[[^[\]]*\]\s*/uy;
const FORWARDED = '(fwd)';

export interface BaseSubject {
  /** What replies share with what they answer; empty when there is no subject. */
  readonly text: string;
  /** A reply or a forwarded message, by its prefixes. */
  readonly isReply: boolean;
}

/**
 * The subject without what replying, forwarding and mailing lists add (RFC 5256 §2.1, with the prefixes of other
 * languages), in lower case, blanks as one. Linear in its length.
 */
export function baseSubject(subject: string): BaseSubject {
  const text = subject.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  let isReply = false;
  let length = text.length;
  while (text.endsWith(FORWARDED, length)) {
    length -= FORWARDED.length;
    if (text[length - 1] === ' ') length -= 1;
    isReply = true;
  }
  const rest = text.slice(0, length);
  let start = 0;
  for (;;) {
    const reply = end(REPLY, rest, start);
    if (reply !== null) {
      start = reply;
      isReply = true;
      continue;
    }
    const mark = end(MARK, rest, start);
    // A subject of nothing but a mark keeps it.
    if (mark === null || mark === rest.length) break;
    start = mark;
  }
  return { text: rest.slice(start).trim(), isReply };
}

/** Equal for equal base subjects: a signed 64-bit number as text. */
export const subjectKey = (text: string): string =>
  createHash('sha256').update(text).digest().readBigInt64BE(0).toString();

function end(pattern: RegExp, text: string, start: number): number | null {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : null;
}
