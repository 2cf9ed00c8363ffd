import { declaredFilename, openedLeavesOf } from './attachment-parts';
import { bodyOf, writtenText } from './body-text';
import { Defects } from './defects';
import { firstField } from './header-block';
import { decodeHeaderText } from './header-text';
import { htmlToText } from './html-text';
import { readMessage } from './contained-parts';
import { isMessagePart, type MimeEntity } from './mime-tree';
import { decodeBounded, decodedSize } from './transfer-decoder';

/** Cap of the text of one message, in UTF-16 units. */
export const MAX_ALL_TEXT = 4 * 1024 * 1024;
/** Markup takes room that its text does not. */
const MAX_HTML_BYTES = 2 * MAX_ALL_TEXT;
/** UTF-16 spends two bytes on a unit, UTF-8 at most three; so much is read for one unit of the rest of the cap. */
const BYTES_PER_UNIT = 3;
const MAX_NESTED_BYTES = 32 * 1024 * 1024;
const MAX_NESTING = 5;

const TEXT_APPLICATIONS =
  /^application\/(?:(?:[\w.-]+\+)?(?:json|xml)|csv|x-csv|ics|rtf|x-yaml|yaml|sql|javascript|x-sh)$/;
const TEXT_MESSAGES = /^message\/(?:delivery-status|disposition-notification|partial)$/;
const TEXT_FILES =
  /\.(?:txt|text|csv|tsv|ics|ical|vcf|html?|xml|json|md|log|sql|ya?ml|ini|conf|env|eml|rtf)$/i;
const HTML_FILES = /\.html?$/i;

export interface MessageText {
  /** Subject first, then each text part, an empty line between them; tabs between the cells of HTML tables. */
  readonly text: string;
  /** Whether there was more than is read. */
  readonly isCut: boolean;
}

/**
 * The text of all text parts of a message, of whatever quality: both alternatives, text attachments (those too that
 * only their file name gives away), embedded messages five deep, with transfer encodings, charsets and entities undone.
 * Other parts (PDF, office documents, pictures) are left out. At most 4 MiB of text; time is linear in the message.
 */
export function allText(raw: Buffer): MessageText {
  const collector = new Collector();
  collector.addMessage(raw, 0);
  return { text: collector.pieces.join('\n\n'), isCut: collector.isCut };
}

class Collector {
  readonly pieces: string[] = [];
  isCut = false;
  private left = MAX_ALL_TEXT;
  private readonly defects = new Defects();

  addMessage(raw: Buffer, nesting: number): void {
    this.addTree(readMessage(raw, this.defects), nesting);
  }

  private addTree(root: MimeEntity, nesting: number): void {
    this.add(decodeHeaderText(firstField(root.fields, 'subject') ?? '', this.defects));
    for (const leaf of openedLeavesOf(root)) {
      if (this.left <= 0) {
        this.isCut = true;
        return;
      }
      this.addLeaf(leaf, nesting);
    }
  }

  private addLeaf(leaf: MimeEntity, nesting: number): void {
    const filename = declaredFilename(leaf) ?? '';
    const isMessage =
      isMessagePart(leaf) || leaf.message !== null || (!isText(leaf.mediaType) && /\.eml$/i.test(filename));
    if (isMessage) {
      if (nesting >= MAX_NESTING) this.isCut = true;
      else if (leaf.message) this.addTree(leaf.message, nesting + 1);
      else this.addMessage(this.nestedMessage(leaf), nesting + 1);
      return;
    }
    if (!isText(leaf.mediaType) && !TEXT_FILES.test(filename)) return;
    const isHtml = isHtmlType(leaf.mediaType) || HTML_FILES.test(filename);
    const maxBytes = isHtml ? MAX_HTML_BYTES : this.left * BYTES_PER_UNIT;
    if (isLonger(leaf, maxBytes)) this.isCut = true;
    const text = writtenText(leaf, maxBytes, this.defects);
    this.add(isHtml ? htmlToText(text, this.left + 1, { keepsRows: true }) : plain(text, leaf));
  }

  private add(text: string): void {
    if (text === '') return;
    if (text.length > this.left) this.isCut = true;
    const kept = text.length > this.left ? text.slice(0, this.left) : text;
    this.pieces.push(kept);
    this.left -= kept.length;
  }

  private nestedMessage(leaf: MimeEntity): Buffer {
    if (isLonger(leaf, MAX_NESTED_BYTES)) this.isCut = true;
    return decodeBounded(bodyOf(leaf), leaf.encoding, MAX_NESTED_BYTES);
  }
}

/** Whether a body decodes to more bytes than so many; only long ones are counted. */
function isLonger({ source, bodyStart, bodyEnd, encoding }: MimeEntity, maxBytes: number): boolean {
  return bodyEnd - bodyStart > maxBytes && decodedSize(source, bodyStart, bodyEnd, encoding) > maxBytes;
}

const isText = (mediaType: string): boolean =>
  mediaType.startsWith('text/') || TEXT_APPLICATIONS.test(mediaType) || TEXT_MESSAGES.test(mediaType);

const isHtmlType = (mediaType: string): boolean =>
  /^(?:text|application)\/(?:html|xhtml\+xml)$/.test(mediaType);

/** Lines as they are read: those a mailer broke to keep them short are one (RFC 3676 §4.2). */
function plain(text: string, leaf: MimeEntity): string {
  const lines = text.replace(/\r\n?/g, '\n');
  if (leaf.contentType.parameters.get('format')?.toLowerCase() !== 'flowed') return lines;
  const joint = leaf.contentType.parameters.get('delsp')?.toLowerCase() === 'yes' ? '' : ' ';
  // The line before a signature ends with a space and breaks all the same.
  return lines.replace(/(?<!^--|\n--) \n(?![>\n])/g, joint);
}
