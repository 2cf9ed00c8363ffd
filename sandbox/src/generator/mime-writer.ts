import { encodeQuotedPrintable } from '../mime/quoted-printable';
import { Random } from './random';

/** A piece of a message whose length is known before its bytes are made. */
export interface Chunk {
  readonly length: number;
  bytes(): Buffer;
}

export type MimeNode =
  | { readonly kind: 'leaf'; readonly headers: readonly string[]; readonly body: Chunk }
  | {
      readonly kind: 'multipart';
      /** Everything after `multipart/` but the boundary, e.g. `mixed` or `related; type="text/html"`. */
      readonly subtype: string;
      readonly boundary: string;
      readonly parts: readonly MimeNode[];
      /** Leaves out the closing delimiter, as truncated mail does. */
      readonly unterminated?: boolean;
    };

const CRLF = '\r\n';
const BASE64_LINE_BYTES = 57;
const BASE64_LINE_LENGTH = 78;

export function chunkOf(content: Buffer | string): Chunk {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return { length: bytes.length, bytes: () => bytes };
}

/** The message as chunks; attachments stay lazy so that a size costs no attachment bytes. */
export function renderMessage(headers: readonly string[], root: MimeNode): Chunk[] {
  const chunks: Chunk[] = [];
  chunks.push(chunkOf(headers.map((line) => line + CRLF).join('')));
  renderNode(root, chunks);
  return chunks;
}

function renderNode(node: MimeNode, chunks: Chunk[]): void {
  if (node.kind === 'leaf') {
    chunks.push(chunkOf(node.headers.map((line) => line + CRLF).join('') + CRLF), node.body);
    return;
  }
  chunks.push(
    chunkOf(`Content-Type: multipart/${node.subtype};${CRLF}\tboundary="${node.boundary}"${CRLF}${CRLF}`),
  );
  for (const part of node.parts) {
    chunks.push(chunkOf(`--${node.boundary}${CRLF}`));
    renderNode(part, chunks);
    chunks.push(chunkOf(CRLF));
  }
  if (!node.unterminated) chunks.push(chunkOf(`--${node.boundary}--${CRLF}`));
}

export function lengthOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((total, chunk) => total + chunk.length, 0);
}

export function bytesOf(chunks: readonly Chunk[]): Buffer {
  return Buffer.concat(chunks.map((chunk) => chunk.bytes()));
}

export type TextEncoding = '7bit' | '8bit' | 'quoted-printable' | 'base64';

/** A text part; `content` as bytes is taken as already in `charset`. */
export function textPart(
  type: string,
  content: string | Buffer,
  {
    charset = 'utf-8',
    encoding = '8bit',
    headers = [] as readonly string[],
  }: {
    charset?: string | undefined;
    encoding?: TextEncoding;
    headers?: readonly string[];
  } = {},
): MimeNode {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const body =
    encoding === 'base64'
      ? wrapBase64(bytes)
      : encoding === 'quoted-printable'
        ? encodeQuotedPrintable(bytes)
        : bytes;
  return {
    kind: 'leaf',
    headers: [
      `Content-Type: ${type}${charset === undefined ? '' : `; charset="${charset}"`}`,
      `Content-Transfer-Encoding: ${encoding}`,
      ...headers,
    ],
    body: chunkOf(body),
  };
}

/** Base64 in lines of 76 characters (RFC 2045 §6.8). */
export function wrapBase64(bytes: Buffer): Buffer {
  const encoded = Buffer.from(bytes.toString('base64'), 'latin1');
  const width = BASE64_LINE_LENGTH - CRLF.length;
  const lines = Math.max(1, Math.ceil(encoded.length / width));
  const out = Buffer.alloc(encoded.length + lines * CRLF.length);
  for (let line = 0, to = 0; line < lines; line++) {
    to += encoded.copy(out, to, line * width, (line + 1) * width);
    out[to++] = 0x0d;
    out[to++] = 0x0a;
  }
  return out;
}

const POOL_LINES = 8192;

/** Random bytes, already in base64 lines: every whole line decodes on its own, so any run of lines is a file. */
const binaryPool: Buffer = ((): Buffer => {
  const random = new Random(7);
  const bytes = Buffer.alloc(POOL_LINES * BASE64_LINE_BYTES);
  for (let at = 0; at < bytes.length; at++) bytes[at] = random.int(256);
  return wrapBase64(bytes);
})();

/**
 * A base64 file of about `bytes` decoded bytes: it starts with `head` and is otherwise a run of the pool
 * beginning at line `offset`, so that files differ between messages and cost one copy.
 */
export function binaryBody(head: Buffer, bytes: number, offset: number): Chunk {
  const headLines = Math.ceil(head.length / BASE64_LINE_BYTES);
  const first = Buffer.alloc(headLines * BASE64_LINE_BYTES, 0x20);
  head.copy(first);
  const encoded = wrapBase64(first);
  const lines = Math.max(1, wholeLines(bytes) - headLines);
  const length = encoded.length + lines * BASE64_LINE_LENGTH;
  return {
    length,
    bytes() {
      const out = Buffer.allocUnsafe(length);
      let at = encoded.copy(out);
      let line = offset % POOL_LINES;
      while (at < length) {
        const run = Math.min(POOL_LINES - line, (length - at) / BASE64_LINE_LENGTH);
        at += binaryPool.copy(out, at, line * BASE64_LINE_LENGTH, (line + run) * BASE64_LINE_LENGTH);
        line = 0;
      }
      return out;
    },
  };
}

const wholeLines = (bytes: number): number => Math.round(bytes / BASE64_LINE_BYTES);

/** The number of bytes that a file of about `bytes` has. */
export const sizeOfBinary = (bytes: number): number => wholeLines(bytes) * BASE64_LINE_BYTES;
