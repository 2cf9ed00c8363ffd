/** The provider's multipart batches: many small HTTP requests in one (`application/http` parts, RFC 2046 framing). */

export interface BatchPart {
  /** Id that the answer repeats: letters, digits and hyphens. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, without an origin. */
  readonly path: string;
}

export interface BatchAnswer {
  readonly id: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer is not a batch answer. Callers treat it like a lost one. */
export class BatchMalformed extends Error {
  constructor(detail: string) {
    super(`Malformed batch answer: ${detail}`);
    this.name = 'BatchMalformed';
  }
}

/** @param boundary must not occur in any path, e.g. random */
export function encodeBatch(
  parts: readonly BatchPart[],
  boundary: string,
): { contentType: string; body: string } {
  const written = parts.map(
    (part) =>
      `--${boundary}\r\nContent-Type: application/http\r\nContent-ID: <${part.id}>\r\n\r\n` +
      `${part.method} ${part.path} HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n`,
  );
  return {
    contentType: `multipart/mixed; boundary=${boundary}`,
    body: `${written.join('')}--${boundary}--\r\n`,
  };
}

/**
 * Parses the answers in the order received, which need not be that of the request.
 * @throws BatchMalformed
 */
export function decodeBatch(contentType: string, body: string): BatchAnswer[] {
  const boundary = boundaryOf(contentType);
  if (boundary === null) throw new BatchMalformed(`no boundary in ${contentType.slice(0, 100)}`);
  return splitSections(body, boundary).map(decodePart);
}

function boundaryOf(contentType: string): string | null {
  if (!/^multipart\/mixed\b/i.test(contentType)) return null;
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? null;
}

/**
 * Splits the body at its delimiters. A delimiter is at the start of a line; a JSON body has no line that looks like
 * one.
 */
function splitSections(body: string, boundary: string): string[] {
  const delimiter = `--${boundary}`;
  const found: string[] = [];
  let start = -1;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    if (start !== -1) found.push(body.slice(start, body[at - 2] === '\r' ? at - 2 : at - 1));
    const after = at + delimiter.length;
    if (body.startsWith('--', after)) return found;
    const lineEnd = body.indexOf('\n', after);
    start = lineEnd === -1 ? body.length : lineEnd + 1;
  }
  throw new BatchMalformed('it ends without a closing delimiter');
}

function decodePart(section: string): BatchAnswer {
  const outer = splitHead(section);
  const inner = splitHead(outer.rest);
  const [statusLine = '', ...lines] = inner.head;
  const status = /^HTTP\/\d(?:\.\d)?\s+(\d{3})/.exec(statusLine)?.[1];
  const id = /<(?:response-)?([^>]+)>/.exec(headersOf(outer.head)['content-id'] ?? '')?.[1];
  if (!status) throw new BatchMalformed('a part without a status line');
  if (!id) throw new BatchMalformed('a part without a Content-ID');
  return { id, status: Number(status), headers: headersOf(lines), body: inner.rest };
}

function splitHead(text: string): { head: string[]; rest: string } {
  const trimmed = text.replace(/^\r?\n/, '');
  const end = /\r?\n\r?\n/.exec(trimmed);
  if (!end) return { head: trimmed.split(/\r?\n/), rest: '' };
  return { head: trimmed.slice(0, end.index).split(/\r?\n/), rest: trimmed.slice(end.index + end[0].length) };
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim();
  }
  return headers;
}
