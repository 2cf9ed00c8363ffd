import { Defects } from '../../../platform/mime/defects';
import { type MimeEntity, readMimeTree } from '../../../platform/mime/mime-tree';
import { declaredFilename } from '../../../platform/mime/attachment-parts';
import { parseMessage } from '../../../platform/mime/parse-message';
import { decodeBounded } from '../../../platform/mime/transfer-decoder';
import type { DownloadedPart, RawMessage } from '../../port/mailbox-provider.port';
import { headerFields } from './imap-message';

/** Largest content that a part includes, in bytes. Larger parts come without content, as Gmail's do. */
const MAX_INLINE = 2 * 1024 * 1024;
const MAX_PART = 256 * 1024 * 1024;

/** Decodes the content of a part; null when the message has no such part. @param partId the part's number in IMAP */
export function readPart(bytes: Buffer, partId: string): DownloadedPart | null {
  const part = find(readMimeTree(bytes, new Defects()), partId);
  if (!part || part.children) return null;
  const content = bytes.subarray(part.bodyStart, part.bodyEnd);
  return {
    filename: declaredFilename(part) ?? '',
    mimeType: part.mediaType,
    bytes: decodeBounded(content, part.encoding, MAX_PART),
  };
}

/** Builds a message in the shape of Gmail's full format, with the part numbers of IMAP. */
export function toFullMessage({
  id,
  threadId,
  internalDate,
  labelIds,
  bytes,
}: RawMessage): Readonly<Record<string, unknown>> {
  const root = readMimeTree(bytes, new Defects());
  return {
    id,
    threadId,
    labelIds,
    // Gmail escapes its snippets for HTML too.
    snippet: parseMessage(bytes).snippet.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    sizeEstimate: bytes.length,
    internalDate: String(internalDate.getTime()),
    payload: payloadOf(bytes, root, 0),
  };
}

function payloadOf(bytes: Buffer, part: MimeEntity, from: number): Record<string, unknown> {
  const header = headerFields(bytes.subarray(from, part.bodyStart)).map(({ name, value }) => ({
    name: name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
    value: Buffer.from(value, 'latin1').toString('utf8'),
  }));
  const common = {
    partId: part.partId,
    mimeType: part.mediaType,
    filename: declaredFilename(part) ?? '',
    headers: header,
  };
  if (part.children) {
    let end = part.bodyStart;
    const parts = part.children.map((child) => {
      const start = bytes.indexOf('\n', end) + 1;
      const payload = payloadOf(bytes, child, Math.min(start, child.bodyStart));
      end = child.bodyEnd + 2;
      return payload;
    });
    return { ...common, body: { size: 0 }, parts };
  }
  const content = decodeBounded(bytes.subarray(part.bodyStart, part.bodyEnd), part.encoding, MAX_PART);
  return {
    ...common,
    body: {
      size: content.length,
      ...(content.length <= MAX_INLINE && { data: content.toString('base64url') }),
    },
  };
}

function find(part: MimeEntity, partId: string): MimeEntity | undefined {
  if (part.partId === partId && !part.children) return part;
  for (const child of part.children ?? (part.message ? [part.message] : [])) {
    const found = find(child, partId);
    if (found) return found;
  }
  return undefined;
}
