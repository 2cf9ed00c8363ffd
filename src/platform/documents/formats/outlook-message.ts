import { decodeUnlabelled } from '../../mime/charset';
import { htmlToText } from '../../mime/html-text';
import { decompressRtf } from '../../mime/tnef/compressed-rtf';
import { rtfToText } from '../../mime/tnef/rtf-text';
import type { Storage } from '../compound-file';
import { memberPath, placeIn, type DocumentFile } from '../document-file';
import { type DocumentText, DocumentUnread } from '../document-text';

/** Properties (MS-OXPROPS): subject, names of sender and recipients, and the bodies. */
const HEADING = ['0037', '0C1A', '0C1F', '0E04', '0E03'];
const BODY = { text: '1000', rtf: '1009', html: '1013' };
const FILE = { data: '3701', longName: '3707', name: '3704' };
const TYPE = { text: '001F', text8: '001E', binary: '0102', object: '000D' };

export const isOutlookMessage = ({ streams }: Storage): boolean => streams.has('__properties_version1.0');

/**
 * Reads the text of a message that Outlook saved as a file (MS-OXMSG), and the files attached to it.
 * @param readFile reads an attached file
 * @throws DocumentUnread; CompoundFileDamage
 */
export async function readOutlookMessage(
  file: DocumentFile,
  root: Storage,
  text: DocumentText,
  readFile: (file: DocumentFile) => Promise<void>,
): Promise<void> {
  const heading = HEADING.map((id) => textProperty(root, id)).filter((value) => value !== '');
  text.add(placeIn(file), [...heading, bodyOf(root, text)].join('\n'));
  for (const [name, part] of root.storages) {
    if (!/^__attach_version1\.0_#/i.test(name)) continue;
    const fileName = textProperty(part, FILE.longName) || textProperty(part, FILE.name) || 'attachment';
    const inner = { name: fileName, member: memberPath(file, fileName), depth: file.depth + 1 };
    const embedded = part.storages.get(`__substg1.0_${FILE.data}${TYPE.object}`);
    if (embedded) {
      if (inner.depth > text.limits.maxDepth)
        throw new DocumentUnread({ state: 'too-large', reason: 'nesting-limit' });
      await readOutlookMessage({ ...inner, bytes: Buffer.alloc(0), mimeType: '' }, embedded, text, readFile);
    } else {
      const bytes = binaryProperty(part, FILE.data);
      if (bytes) await readFile({ ...inner, bytes, mimeType: '' });
    }
  }
}

function bodyOf(root: Storage, text: DocumentText): string {
  const plain = textProperty(root, BODY.text);
  if (plain !== '') return plain;
  const html = binaryProperty(root, BODY.html);
  if (html) return htmlToText(decodeUnlabelled(html), text.room);
  const compressed = binaryProperty(root, BODY.rtf);
  const rtf = compressed && decompressRtf(compressed);
  if (!rtf) return textProperty(root, BODY.html);
  const found = rtfToText(rtf);
  return found.kind === 'html' ? htmlToText(found.text, text.room) : found.text;
}

const streamOf = ({ streams }: Storage, id: string, type: string): Buffer | undefined =>
  streams.get(`__substg1.0_${id}${type}`)?.();

const binaryProperty = (storage: Storage, id: string): Buffer | undefined =>
  streamOf(storage, id, TYPE.binary);

function textProperty(storage: Storage, id: string): string {
  const wide = streamOf(storage, id, TYPE.text);
  if (wide) return wide.toString('utf16le');
  const narrow = streamOf(storage, id, TYPE.text8);
  return narrow ? decodeUnlabelled(narrow) : '';
}
