import type { DocumentFile } from '../document-file';
import { placeIn } from '../document-file';
import { damaged, type DocumentText } from '../document-text';
import { localName, readXml } from '../read-xml';
import type { Unzip } from '../unzip';

/** Parts with text, in the order in which they are read. */
const PARTS = [
  /^word\/document\d*\.xml$/,
  /^word\/(?:header|footer)\d*\.xml$/,
  /^word\/(?:footnotes|endnotes|comments)\.xml$/,
];

/** Reads a document of Word (DOCX, ECMA-376): its text, headers, footers, notes and comments. @throws DocumentUnread */
export async function readWordXml(file: DocumentFile, zip: Unzip, text: DocumentText): Promise<void> {
  const parts = PARTS.flatMap((pattern) => zip.members.filter(({ path }) => pattern.test(path)));
  if (parts.length === 0) throw damaged();
  for (const part of parts) {
    const collector = new RunCollector(text.room);
    await readXml(zip.stream(part), collector);
    text.add(placeIn(file), collector.result());
  }
}

/** Collects the text of runs in documents and slides: `w:t` and `a:t`. */
export class RunCollector {
  private readonly pieces: string[] = [];
  private length = 0;
  private isText = false;
  /** Depth of elements below one whose text is a second version of another. */
  private hidden = 0;

  constructor(private readonly limit: number) {}

  open(name: string): void {
    if (this.hidden > 0 || name === 'mc:Fallback') {
      this.hidden += 1;
      return;
    }
    const local = localName(name);
    if (local === 't') this.isText = true;
    else if (local === 'tab' || local === 'tc') this.push('\t');
    // A text box stands within a paragraph.
    else if (local === 'br' || local === 'cr' || local === 'txbxContent') this.push('\n');
  }

  text(text: string): void {
    if (this.isText && this.hidden === 0) this.push(text);
  }

  close(name: string): void {
    if (this.hidden > 0) {
      this.hidden -= 1;
      return;
    }
    const local = localName(name);
    if (local === 't') this.isText = false;
    else if (local === 'p') this.push('\n');
  }

  /** The text; one unit beyond the limit says that it is cut. */
  result(): string {
    return this.pieces.join('');
  }

  private push(text: string): void {
    if (this.length > this.limit) return;
    this.pieces.push(text);
    this.length += text.length;
  }
}
