import { declaredFilename, isShownAsText, openedLeavesOf } from '../../mime/attachment-parts';
import { attachedText } from '../../mime/attached-text';
import { bodyOf, visibleText } from '../../mime/body-text';
import { readMessage } from '../../mime/contained-parts';
import { Defects } from '../../mime/defects';
import { headingText, readHeading } from '../../mime/message-heading';
import type { MimeEntity } from '../../mime/mime-tree';
import { textKindOf } from '../../mime/text-kinds';
import { tnefContent } from '../../mime/tnef/tnef-content';
import { decodeBounded } from '../../mime/transfer-decoder';
import { memberPath, placeIn, type DocumentFile } from '../document-file';
import { damaged, type DocumentText } from '../document-text';

/** Fields with which a message begins. */
const FIELD =
  /^(?:From|To|Subject|Date|Received|Return-Path|Message-ID|MIME-Version|Delivered-To|Content-Type|X-[\w-]+):/i;

/** Whether a text begins with two fields of a message. */
export function looksLikeMessage(start: string): boolean {
  const lines = start.split(/\r?\n(?![ \t])/, 3);
  return lines.length >= 2 && lines.slice(0, 2).every((line) => FIELD.test(line));
}

/**
 * Reads the text of a message (EML) and the files in it.
 * @param readFile reads a file of the message; null: they are listed as attachments of the archived mail
 * @throws DocumentUnread
 */
export async function readMimeMessage(
  file: DocumentFile,
  text: DocumentText,
  readFile: ((file: DocumentFile) => Promise<void>) | null,
): Promise<void> {
  await readEntity(readMessage(file.bytes, new Defects()), file, text, readFile);
}

/** Reads winmail.dat (MS-OXTNEF). @throws DocumentUnread */
export async function readTnef(
  file: DocumentFile,
  text: DocumentText,
  readFile: (file: DocumentFile) => Promise<void>,
): Promise<void> {
  const content = tnefContent(file.bytes, '1', true);
  if (!content) throw damaged();
  await readEntity(content, file, text, readFile);
}

async function readEntity(
  root: MimeEntity,
  file: DocumentFile,
  text: DocumentText,
  readFile: ((file: DocumentFile) => Promise<void>) | null,
): Promise<void> {
  const ignored = new Defects();
  const parts = [headingText(readHeading(root)), visibleText(root, isShownAsText, ignored)];
  if (readFile) parts.push(attachedText(root, ignored));
  text.add(placeIn(file), parts.filter((part) => part !== '').join('\n\n'));
  if (!readFile) return;
  for (const leaf of openedLeavesOf(root)) {
    // Messages in parts and files of text are in the text already.
    if (leaf.message || textKindOf(leaf) !== null) continue;
    const name = declaredFilename(leaf) ?? 'attachment';
    const bytes = decodeBounded(bodyOf(leaf), leaf.encoding, text.limits.maxMember);
    text.countUnpacked(bytes.length);
    const member = memberPath(file, name);
    await readFile({ bytes, name, mimeType: leaf.mediaType, member, depth: file.depth + 1 });
  }
}
