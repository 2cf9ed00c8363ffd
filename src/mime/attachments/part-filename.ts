import { detectExtension } from 'libmime';
import { singleLine } from '../headers/encoded-words';
import type { MimeEntity } from '../mime-tree';
import { capUtf8 } from '../text/body-text';

const MAX_FILENAME_BYTES = 255;
const MAX_EXTENSION_LENGTH = 20;

/** The file name a part gives itself (Content-Disposition first, then Content-Type), made safe; null if none. */
export function declaredFilename(part: MimeEntity): string | null {
  for (const name of [part.disposition.parameters.get('filename'), part.contentType.parameters.get('name')]) {
    const safe = safeFilename(name ?? '');
    if (safe !== '') return safe;
  }
  return null;
}

/** A name for a part that has none: `message.eml` for an embedded message, else `part-<id>.<extension>`. */
export function fallbackFilename(part: MimeEntity): string {
  if (part.mediaType === 'message/rfc822' || part.mediaType === 'message/global') return 'message.eml';
  return `part-${part.partId}.${extensionOf(part.mediaType)}`;
}

function extensionOf(mediaType: string): string {
  if (mediaType.startsWith('multipart/')) return 'eml';
  if (mediaType.startsWith('message/') || mediaType === 'text/rfc822-headers') return 'txt';
  return detectExtension(mediaType) || 'bin';
}

/** Removes path separators and controls, and cuts to 255 bytes with the extension kept. */
function safeFilename(name: string): string {
  const flat = singleLine(name)
    .replace(/[/\\]/g, '_')
    .replace(/^[. ]+$/, '')
    .trim();
  if (Buffer.byteLength(flat) <= MAX_FILENAME_BYTES) return flat;
  const dot = flat.lastIndexOf('.');
  const extension = dot > 0 && flat.length - dot <= MAX_EXTENSION_LENGTH ? flat.slice(dot) : '';
  const stem = flat.slice(0, flat.length - extension.length);
  return capUtf8(stem, MAX_FILENAME_BYTES - Buffer.byteLength(extension)) + extension;
}
