import type { RawMessage } from '../port/mailbox-provider.port';
import type { BodyReader } from '../gateway/provider-transport';
import { decodeInternalDate, unescapeHtml } from './message-decoder';

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** Most bytes before and after the long value, which are a few labels and a snippet. */
const MAX_REST_BYTES = 1024 ** 2;
/** Matches the start of an escape whose end has not arrived. */
const CUT_ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i;
const NOT_BASE64 = /[^A-Za-z0-9+/_=-]+/g;

export interface Base64Fields {
  /** The JSON without the value. */
  readonly fields: unknown;
  /** The decoded value; null when the key is missing or its value is not a text. */
  readonly bytes: Buffer | null;
}

/**
 * Reads a JSON object that consists mostly of one base64 or base64url value. That value is decoded as it arrives and
 * never passes through the JSON parser, so only the decoded bytes are held: in one buffer of the right size when the
 * body's length is announced, else in pieces that are joined at the end.
 */
export class Base64FieldReader implements BodyReader<Base64Fields> {
  private readonly key: Buffer;
  private state: 'before' | 'within' | 'after' = 'before';
  private before: Buffer = Buffer.alloc(0);
  private readonly after: Buffer[] = [];
  private afterLength = 0;
  /** Characters that do not yet complete three bytes or an escape. */
  private carry = '';
  private readonly pieces: Buffer[] = [];
  private decoded = 0;
  private length: number | undefined;
  private target: Buffer | undefined;

  constructor(key: string) {
    this.key = Buffer.from(JSON.stringify(key));
  }

  get held(): number {
    const value = this.length === undefined ? 2 * this.decoded : decodedLength(this.length);
    return value + this.before.length + this.afterLength;
  }

  expect(length: number): number {
    this.length = length;
    return decodedLength(length);
  }

  /** @throws SyntaxError when it is not such an object */
  write(chunk: Buffer): void {
    if (this.state === 'within') return this.decode(chunk, 0);
    if (this.state === 'after') return this.keepAfter(chunk);
    this.before = this.before.length === 0 ? chunk : Buffer.concat([this.before, chunk]);
    const start = this.findValue();
    if (start === null) {
      if (this.before.length > MAX_REST_BYTES)
        throw new SyntaxError('The answer is not of the expected form');
      return;
    }
    const body = this.before;
    // This is a copy, so that the far longer text is not kept alive.
    this.before = Buffer.from(body.subarray(0, start));
    this.state = 'within';
    if (this.length !== undefined) this.target = Buffer.allocUnsafe(decodedLength(this.length - start));
    this.decode(body, start);
  }

  /** @throws SyntaxError when it is not such an object, or broke off */
  end(): Base64Fields {
    const rest = Buffer.concat([this.before, ...this.after]).toString('utf8');
    const fields: unknown = JSON.parse(rest);
    return { fields, bytes: this.state === 'after' ? this.join() : null };
  }

  /** Finds the offset of the value's first character; null when it has not arrived or the key is missing. */
  private findValue(): number | null {
    const json = this.before;
    for (let key = json.indexOf(this.key); key !== -1; key = json.indexOf(this.key, key + 1)) {
      // An unescaped quote ends any other string, so no text looks like the key.
      if (json[key - 1] === BACKSLASH) continue;
      const colon = skipSpace(json, key + this.key.length);
      if (json[colon] !== COLON) continue;
      const start = skipSpace(json, colon + 1);
      return json[start] === QUOTE ? start + 1 : null;
    }
    return null;
  }

  private decode(chunk: Buffer, from: number): void {
    // base64 holds no quote, escaped or not.
    const quote = chunk.indexOf(QUOTE, from);
    const end = quote === -1 ? chunk.length : quote;
    this.append(chunk.toString('latin1', from, end), quote !== -1);
    if (quote === -1) return;
    this.state = 'after';
    this.keepAfter(chunk.subarray(end));
  }

  private append(arrived: string, last: boolean): void {
    let text = this.carry + arrived;
    let cut = '';
    // Some writers escape `=` and `/`.
    if (text.includes('\\')) {
      cut = last ? '' : (CUT_ESCAPE.exec(text)?.[0] ?? '');
      const whole = JSON.parse(`"${text.slice(0, text.length - cut.length)}"`) as string;
      text = whole.replace(NOT_BASE64, '');
    }
    const usable = last ? text.length : text.length - (text.length % 4);
    this.carry = text.slice(usable) + cut;
    if (usable > 0) this.store(usable === text.length ? text : text.slice(0, usable));
  }

  /** Decodes and stores text. Node decodes plain base64 as `base64url` too, only slower. */
  private store(text: string): void {
    if (this.target && decodedLength(text.length) <= this.target.length - this.decoded) {
      this.decoded += this.target.write(text, this.decoded, 'base64url');
      return;
    }
    const piece = Buffer.from(text, 'base64url');
    this.pieces.push(piece);
    this.decoded += piece.length;
  }

  private join(): Buffer {
    if (this.target) {
      const written = this.decoded - this.pieces.reduce((sum, piece) => sum + piece.length, 0);
      this.pieces.unshift(this.target.subarray(0, written));
    }
    return this.pieces.length === 1 ? this.pieces[0]! : Buffer.concat(this.pieces, this.decoded);
  }

  private keepAfter(chunk: Buffer): void {
    this.afterLength += chunk.length;
    if (this.afterLength > MAX_REST_BYTES) throw new SyntaxError('The answer is not of the expected form');
    // This is a copy, so that the value before it is not kept alive.
    this.after.push(Buffer.from(chunk));
  }
}

function decodedLength(characters: number): number {
  return Math.ceil(Math.max(0, characters) / 4) * 3;
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at++;
  return at;
}

/** The key of the bytes in an answer to a `format=raw` get. */
export const RAW_FIELD = 'raw';

interface RawFields {
  readonly id?: string;
  readonly threadId?: string;
  readonly labelIds?: string[];
  readonly snippet?: string;
  readonly internalDate?: string;
}

/**
 * Decodes the answer to a `format=raw` get.
 * @throws SyntaxError when it is not such an answer
 */
export function decodeRawAnswer(answer: Base64Fields): RawMessage {
  const fields = answer.fields as RawFields | null;
  if (typeof fields?.id !== 'string' || !answer.bytes) {
    throw new SyntaxError('The answer is not a raw message');
  }
  return {
    id: fields.id,
    threadId: fields.threadId ?? '',
    internalDate: decodeInternalDate(fields.internalDate),
    labelIds: fields.labelIds ?? [],
    snippet: unescapeHtml(fields.snippet ?? ''),
    bytes: answer.bytes,
  };
}
