import { allLeavesOf, isShownAsText } from './attachment-parts';
import { capUtf8, leafText, MAX_TEXT_BYTES, writtenText } from './body-text';
import { Defects } from './defects';
import type { MimeEntity } from './mime-tree';
import { textKindOf } from './text-kinds';

/** Files of text whose words people look for, as they are written: tables and contacts (RFC 4180, RFC 6350). */
const TABLES_AND_CONTACTS = /^text\/(?:csv|tab-separated-values|x?-?vcard|directory)$/;

/** The defect of a message whose attached text is not read to its end. */
export const ATTACHED_TEXT_CUT = 'only the first 4 MiB of attached text are searched';

/**
 * Reads the text of attachments that are text: the words of a log, a table or a contact are found although the message does not
 * show them. At most 4 MiB of UTF-8; attachments are joined by an empty line.
 */
export function attachedText(root: MimeEntity, defects: Defects): string {
  const texts: string[] = [];
  let length = 0;
  for (const leaf of allLeavesOf(root)) {
    if (length > MAX_TEXT_BYTES) break;
    const text = textOfAttachment(leaf);
    if (text === '') continue;
    texts.push(text);
    length += text.length;
  }
  const whole = texts.join('\n\n');
  const kept = capUtf8(whole, MAX_TEXT_BYTES);
  if (kept !== whole) defects.add(ATTACHED_TEXT_CUT);
  return kept;
}

function textOfAttachment(leaf: MimeEntity): string {
  if (leaf.message || isShownAsText(leaf)) return '';
  // A charset that an attachment names wrongly says nothing about the message.
  const ignored = new Defects();
  if (textKindOf(leaf) !== null) return leafText(leaf, ignored);
  if (!TABLES_AND_CONTACTS.test(leaf.mediaType)) return '';
  return writtenText(leaf, MAX_TEXT_BYTES + 1, ignored).trim();
}
