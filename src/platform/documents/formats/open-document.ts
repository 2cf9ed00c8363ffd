import type { DocumentFile } from '../document-file';
import { placeIn } from '../document-file';
import { damaged, type DocumentText, type PlaceKind, protectedByPassword } from '../document-text';
import { type Attributes, readXml, type XmlVisitor } from '../read-xml';
import type { Unzip } from '../unzip';

/** Most blanks that one element stands for. */
const MAX_SPACES = 100;

/** Fields whose text is filled in when the document is shown: in a file it is that of another page, or `???`. */
const FILLED_IN: ReadonlySet<string> = new Set([
  'text:page-number',
  'text:page-count',
  'text:sheet-name',
  'text:file-name',
  'text:date',
  'text:time',
  'text:title',
]);

/** Elements with text that is none of the document: deleted text, numbers of notes, and when remarks were made. */
const IGNORED: ReadonlySet<string> = new Set([
  'text:tracked-changes',
  'text:note-citation',
  'dc:date',
  'meta:date-string',
  'meta:creator-initials',
]);

/** Reads a document of OpenDocument (ODT, ODS, ODP; ISO/IEC 26300), sheet by sheet or slide by slide. @throws DocumentUnread */
export async function readOpenDocument(file: DocumentFile, zip: Unzip, text: DocumentText): Promise<void> {
  await refuseEncrypted(zip);
  const content = zip.find('content.xml');
  if (!content) throw damaged();
  const collector = new ContentCollector(file, text);
  await readXml(zip.stream(content), collector);
  collector.end();
  // Headers and footers are in the styles.
  const styles = zip.find('styles.xml');
  if (!styles) return;
  // Every sheet has the header and footer `???` and `Page 1` unless they were changed.
  const further = new ContentCollector(file, text, true, collector.isSpreadsheet());
  await readXml(zip.stream(styles), further);
  further.end();
}

async function refuseEncrypted(zip: Unzip): Promise<void> {
  const manifest = zip.find('META-INF/manifest.xml');
  if (!manifest) return;
  await readXml(zip.stream(manifest), {
    open(name) {
      if (name.endsWith('encryption-data')) throw protectedByPassword();
    },
  });
}

class ContentCollector implements XmlVisitor {
  private pieces: string[] = [];
  private length = 0;
  private kind: PlaceKind | null = null;
  private name: string | null = null;
  private slides = 0;
  /** Depth within paragraphs: text elsewhere is none of the document. */
  private paragraphs = 0;
  /** Depth within text that is left out. */
  private ignored = 0;
  /** Number of pieces before the present paragraph. */
  private beforeParagraph = 0;
  private hasField = false;

  /**
   * @param isStyles whether it collects headers and footers, in which fields that are filled in later are left out
   * @param dropsFields whether the paragraphs around these are left out too
   */
  constructor(
    private readonly file: DocumentFile,
    private readonly document: DocumentText,
    private readonly isStyles = false,
    private readonly dropsFields = false,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (this.ignored > 0 || IGNORED.has(name) || (this.isStyles && FILLED_IN.has(name))) {
      this.ignored += 1;
      this.hasField ||= FILLED_IN.has(name);
    } else if (name === 'office:annotation' || name === 'text:note') this.push('\n');
    else if (name === 'text:p' || name === 'text:h') this.beginParagraph();
    else if (name === 'text:tab') this.push('\t');
    else if (name === 'text:line-break') this.push('\n');
    else if (name === 'text:s')
      this.push(' '.repeat(Math.min(MAX_SPACES, Number(attributes['text:c'] ?? 1) || 1)));
    else if (name === 'draw:page') this.begin('slide', String(++this.slides));
    else if (name === 'table:table' && this.isSpreadsheet())
      this.begin('sheet', attributes['table:name'] ?? '');
    else if (name === 'office:spreadsheet') this.begin('sheet', null);
  }

  text(text: string): void {
    if (this.paragraphs > 0 && this.ignored === 0) this.push(text);
  }

  close(name: string): void {
    if (this.ignored > 0) this.ignored -= 1;
    else if (name === 'text:p' || name === 'text:h') {
      this.paragraphs -= 1;
      if (this.hasField && this.dropsFields) this.pieces.length = this.beforeParagraph;
      this.push('\n');
    } else if (name === 'table:table-cell') this.push('\t');
    else if (name === 'table:table-row') this.push('\n');
  }

  end(): void {
    const text = this.pieces
      .join('')
      .replace(/\n\t/g, '\t')
      .replace(/\t[\t\n]*\n/g, '\n');
    this.pieces = [];
    this.length = 0;
    this.document.add(placeIn(this.file, this.name === null ? null : this.kind, this.name), text);
  }

  isSpreadsheet(): boolean {
    return this.kind === 'sheet';
  }

  private beginParagraph(): void {
    // A note or a text box stands within a paragraph.
    if (this.paragraphs > 0) this.push('\n');
    this.paragraphs += 1;
    this.beforeParagraph = this.pieces.length;
    this.hasField = false;
  }

  private begin(kind: PlaceKind, name: string | null): void {
    this.end();
    this.kind = kind;
    this.name = name;
  }

  private push(text: string): void {
    if (this.length > this.document.room) return;
    this.pieces.push(text);
    this.length += text.length;
  }
}
