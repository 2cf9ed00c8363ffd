import { isShownAsText, leavesOf } from '../../../mime/attachments/attachment-parts';
import { writtenText } from '../../../mime/text/body-text';
import { Defects } from '../../../mime/defects';
import { readMimeTree } from '../../../mime/mime-tree';
import { findTrackersInAll } from '../detection/find-trackers';
import { MAX_HTML } from '../detection/html-references';
import type { Tracker } from '../detection/tracker';

/** The trackers in the HTML a reader of the message is shown, of which the first 2 MiB are read. Never throws. */
export function messageTrackers(raw: Buffer): Tracker[] {
  const defects = new Defects();
  const documents: string[] = [];
  let left = MAX_HTML;
  for (const leaf of leavesOf(readMimeTree(raw, defects))) {
    if (left <= 0) break;
    if (leaf.mediaType !== 'text/html' || !isShownAsText(leaf)) continue;
    const html = writtenText(raw, leaf, left, defects);
    documents.push(html);
    left -= html.length;
  }
  return findTrackersInAll(documents);
}
