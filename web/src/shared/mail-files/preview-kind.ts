import type { MailFile } from './file-bytes';

const MIB = 1024 * 1024;
/** Raster images. SVG is a document, which is saved and never shown. */
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp']);
/** HTML is a document too. */
const TEXTS = new Set([
  'text/plain',
  'text/csv',
  'text/markdown',
  'text/calendar',
  'text/vcard',
  'text/x-log',
  'message/rfc822',
  'application/json',
]);
const MOST_BYTES = 25 * MIB;
/** A larger image is shown when it is asked for, and has no small picture in the list. */
const MOST_BYTES_SMALL = 5 * MIB;

export type PreviewKind = 'image' | 'text';

/** The way in which the page can show a file; null when it can only be saved. */
export function previewKind({ mimeType, sizeBytes }: MailFile): PreviewKind | null {
  const type = mimeType.toLowerCase();
  if (sizeBytes === 0 || sizeBytes > MOST_BYTES) return null;
  if (IMAGES.has(type)) return 'image';
  return TEXTS.has(type) ? 'text' : null;
}

export const hasSmallPicture = (file: MailFile): boolean =>
  previewKind(file) === 'image' && file.sizeBytes <= MOST_BYTES_SMALL;
