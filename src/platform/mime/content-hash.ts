import { createHash, type Hash } from 'node:crypto';
import { declaredFilename, leavesOf } from './attachment-parts';
import { decodeHeaderText } from './header-text';
import type { Defects } from './defects';
import type { HeaderFields } from './header-block';
import { parseMailDate } from './mail-date';
import type { MimeEntity } from './mime-tree';
import { transferDecoder } from './transfer-decoder';

const FIELDS = ['from', 'to', 'cc', 'subject'];
const CHUNK = 64 * 1024;
const LINE_ENDS = Buffer.alloc(CHUNK, '\n');
const NO_TEXT = createHash('sha256').digest('hex');
/** Content that transports pass as it is; of all other, the line ends change on the way. */
const isExact = ({ encoding, mediaType }: MimeEntity): boolean =>
  encoding === 'base64' && !mediaType.startsWith('text/');

/**
 * Equal for messages of the same content: From, To, Cc, Subject, Date, the type, name and decoded bytes of each part,
 * and the text outside of them. All other fields may differ, and so may transfer encodings, boundaries, folding, line
 * ends and empty lines at the end of a text, which change on the way. Where decoding loses something, the encoded bytes
 * count. Null when there is more in the message than is read.
 */
export function contentHash(raw: Buffer, root: MimeEntity, defects: Defects): string | null {
  if (defects.isCut) return null;
  const fields = FIELDS.map((name) => valuesOf(root.fields, name).map((value) => decodeHeaderText(value)));
  const dates = valuesOf(root.fields, 'date').map((value) => parseMailDate(value)?.toISOString() ?? value);
  const parts = leavesOf(root).map((leaf) => [
    leaf.mediaType,
    leaf.contentType.parameters.get('charset')?.toLowerCase() ?? '',
    declaredFilename(leaf) ?? '',
    decodedHash(raw, leaf),
  ]);
  const strays = defects.strays
    .map(({ start, end }) => textHash(raw.subarray(start, end)))
    .filter((hash) => hash !== NO_TEXT);
  return createHash('sha256')
    .update(JSON.stringify([fields, dates, parts, ...strays]))
    .digest('hex');
}

const valuesOf = (fields: HeaderFields, name: string): readonly string[] => fields.get(name) ?? [];

function decodedHash(raw: Buffer, leaf: MimeEntity): string {
  const decoder = transferDecoder(leaf.encoding);
  const hash = createHash('sha256');
  const text = isExact(leaf) ? null : new TextHash(hash);
  const add = (bytes: Buffer): void => {
    if (text) text.add(bytes);
    else hash.update(bytes);
  };
  for (let pos = leaf.bodyStart; pos < leaf.bodyEnd; pos += CHUNK) {
    add(decoder.write(raw.subarray(pos, Math.min(leaf.bodyEnd, pos + CHUNK))));
  }
  add(decoder.end());
  if (!decoder.isLossy) return hash.digest('hex');
  const encoded = createHash('sha256').update(raw.subarray(leaf.bodyStart, leaf.bodyEnd));
  return `${leaf.encoding} ${encoded.digest('hex')}`;
}

function textHash(bytes: Buffer): string {
  const hash = createHash('sha256');
  const text = new TextHash(hash);
  for (let pos = 0; pos < bytes.length; pos += CHUNK) text.add(bytes.subarray(pos, pos + CHUNK));
  return hash.digest('hex');
}

/** Hashes text whatever ends its lines, and without the line ends at its end. */
class TextHash {
  /** Line ends that count if more text follows. */
  private lineEnds = 0;

  constructor(private readonly hash: Hash) {}

  add(bytes: Buffer): void {
    // One UTF-16 unit per byte.
    const text = bytes.toString('latin1').replaceAll('\r', '');
    let end = text.length;
    while (end > 0 && text[end - 1] === '\n') end--;
    if (end > 0) {
      for (; this.lineEnds > 0; this.lineEnds -= Math.min(this.lineEnds, CHUNK)) {
        this.hash.update(LINE_ENDS.subarray(0, this.lineEnds));
      }
      this.hash.update(text.slice(0, end), 'latin1');
    }
    this.lineEnds += text.length - end;
  }
}
