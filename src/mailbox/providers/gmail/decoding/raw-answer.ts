import { decodeInternalDate, unescapeHtml } from './message-decoder';
import type { RawMessage } from '../../mailbox-provider.port';

const RAW_KEY = Buffer.from('"raw"');
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

interface RawFields {
  readonly id?: string;
  readonly threadId?: string;
  readonly labelIds?: string[];
  readonly snippet?: string;
  readonly internalDate?: string;
  readonly raw?: string;
}

/**
 * Decodes the answer to a `format=raw` get. The base64url value, nearly all of it, is cut out of the bytes and
 * decoded directly, never passing through the JSON parser.
 * @throws SyntaxError when it is not such an answer
 */
export function decodeRawAnswer(json: Buffer): RawMessage {
  const value = findRawValue(json);
  if (!value) return toRawMessage(JSON.parse(json.toString('utf8')) as RawFields, null);
  const rest = json.toString('utf8', 0, value.start) + json.toString('utf8', value.end);
  return toRawMessage(
    JSON.parse(rest) as RawFields,
    Buffer.from(json.toString('latin1', value.start, value.end), 'base64url'),
  );
}

/** Where the string value of the `raw` key lies. An unescaped quote ends any other string, so no text looks like it. */
function findRawValue(json: Buffer): { start: number; end: number } | null {
  for (let key = json.indexOf(RAW_KEY); key !== -1; key = json.indexOf(RAW_KEY, key + 1)) {
    if (json[key - 1] === BACKSLASH) continue;
    const colon = skipSpace(json, key + RAW_KEY.length);
    if (json[colon] !== COLON) continue;
    const start = skipSpace(json, colon + 1);
    if (json[start] !== QUOTE) return null;
    const end = json.indexOf(QUOTE, start + 1);
    // base64url holds nothing that JSON would escape; if a writer did escape, the parser knows better.
    if (end === -1 || json.subarray(start, end).includes(BACKSLASH)) return null;
    return { start: start + 1, end };
  }
  return null;
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at++;
  return at;
}

function toRawMessage(fields: RawFields, bytes: Buffer | null): RawMessage {
  if (typeof fields.id !== 'string' || typeof fields.raw !== 'string') {
    throw new SyntaxError('The answer is not a raw message');
  }
  return {
    id: fields.id,
    threadId: fields.threadId ?? '',
    internalDate: decodeInternalDate(fields.internalDate),
    labelIds: fields.labelIds ?? [],
    snippet: unescapeHtml(fields.snippet ?? ''),
    bytes: bytes ?? Buffer.from(fields.raw, 'base64url'),
  };
}
