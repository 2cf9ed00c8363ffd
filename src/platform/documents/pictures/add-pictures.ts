import { type DocumentFile, placeIn } from '../document-file';
import type { DocumentText } from '../document-text';
import type { PictureSize } from './picture-size';

/** Pictures that are smaller are icons, lines and pixels that count readers. */
const MIN_SIDE = 20;
const MIN_PIXELS = 30_000;

/** Adds the pages of a picture that may have text. @throws DocumentUnread */
export function addPictures(file: DocumentFile, sizes: readonly PictureSize[], text: DocumentText): void {
  for (const [index, { width, height }] of sizes.entries()) {
    const pixels = width * height;
    if (Math.min(width, height) < MIN_SIDE || pixels < MIN_PIXELS) continue;
    const page = index + 1;
    const place = sizes.length > 1 ? placeIn(file, 'page', String(page)) : placeIn(file);
    text.addPicture(file, { place, isPdf: false, page, pixels });
  }
}
