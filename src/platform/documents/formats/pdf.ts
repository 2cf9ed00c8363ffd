import { joinDivided } from '../pictures/recognized-text';
import { damaged, type DocumentText, protectedByPassword } from '../document-text';
import { type DocumentFile, memberPath, placeIn } from '../document-file';

/** Files in a PDF that are read, such as the invoice of Factur-X. */
const MAX_FILES = 50;
/** Without a canvas nothing is drawn, so neither fonts nor colours are needed; and nothing is compiled. */
const OPTIONS = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  verbosity: 0,
  /** Pixels of a picture that is decoded. */
  maxImageSize: 50_000_000,
};
/** Letters up to which the text of a page may be that of a stamp on a scanned page. */
const MAX_STAMP = 100;
/** Pixels from which a picture may be a scanned page: a quarter of an A4 page with 100 dots an inch. */
const MIN_SCAN = 250_000;
/** Most pages of a document whose pictures are looked at, as each may take half a second. */
const MAX_LOOKS = 20;

export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 1024).includes('%PDF-');

/**
 * Reads a PDF page by page with PDF.js, with what is filled into its forms. A page that cannot be read is left out, and the
 * others are read.
 * @param readFile reads a file that the PDF contains
 * @throws DocumentUnread
 */
export async function readPdf(
  file: DocumentFile,
  text: DocumentText,
  readFile: (file: DocumentFile) => Promise<void>,
): Promise<void> {
  const { getDocumentProxy } = await import('unpdf');
  let pdf: Pdf;
  try {
    pdf = (await getDocumentProxy(new Uint8Array(file.bytes), OPTIONS)) as Pdf;
  } catch (error) {
    throw error instanceof Error && error.name === 'PasswordException' ? protectedByPassword() : damaged();
  }
  let isDamaged = false;
  let looks = 0;
  try {
    for (let number = 1; number <= pdf.numPages; number += 1) {
      text.checkTime();
      const shown = await textOfPage(pdf, number);
      if (shown === null) {
        isDamaged = true;
        continue;
      }
      const letters = shown.replace(/\s+/g, '').length;
      const isScan =
        letters === 0 ||
        (letters <= MAX_STAMP && (looks += 1) <= MAX_LOOKS && (await hasLargePicture(pdf, number)));
      const place = placeIn(file, 'page', String(number));
      if (isScan) text.addPicture(file, { place, isPdf: true, page: number, pixels: 0 });
      text.add(place, shown);
    }
    for (const { name, bytes } of await filesIn(pdf)) {
      text.countUnpacked(bytes.length);
      await readFile({ bytes, name, mimeType: '', member: memberPath(file, name), depth: file.depth + 1 });
    }
  } finally {
    await pdf.destroy();
  }
  if (isDamaged) throw damaged();
}

async function textOfPage(from: Pdf, number: number): Promise<string | null> {
  try {
    const page = await from.getPage(number);
    const { items } = await page.getTextContent();
    const shown = items.map(({ str = '', hasEOL }) => str + (hasEOL ? '\n' : '')).join('');
    const filledIn = (await page.getAnnotations()).flatMap(textsOfAnnotation);
    page.cleanup();
    return [joinDivided(shown), ...filledIn].join('\n');
  } catch {
    // PDF.js throws errors of many kinds at broken pages; the caller reports the page.
    return null;
  }
}

async function hasLargePicture(from: Pdf, number: number): Promise<boolean> {
  try {
    const page = await from.getPage(number);
    const { argsArray } = await page.getOperatorList();
    page.cleanup();
    // A picture is painted with its name, width and height.
    return argsArray.some(
      (parts) =>
        Array.isArray(parts) &&
        typeof parts[0] === 'string' &&
        typeof parts[1] === 'number' &&
        typeof parts[2] === 'number' &&
        parts[1] * parts[2] >= MIN_SCAN,
    );
  } catch {
    // A page that cannot be drawn keeps the text that it has.
    return false;
  }
}

/** The part of PDF.js that is used: unpdf has its code without its types. */
interface Pdf {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
  getAttachments(): Promise<unknown>;
  destroy(): Promise<void>;
}

interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly TextItem[] }>;
  getAnnotations(): Promise<readonly Annotation[]>;
  getOperatorList(): Promise<{ readonly argsArray: readonly unknown[] }>;
  cleanup(): void;
}

/** Marks of the structure have no text. */
interface TextItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
}

interface Annotation {
  readonly fieldValue?: unknown;
  readonly contentsObj?: { readonly str?: string };
}

/** Values that were filled into a field, and notes. */
function textsOfAnnotation({ fieldValue, contentsObj }: Annotation): string[] {
  const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return [...values, contentsObj?.str].filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}

async function filesIn(pdf: Pdf): Promise<{ name: string; bytes: Buffer }[]> {
  const found = (await pdf.getAttachments().catch(() => null)) as Record<string, EmbeddedFile> | null;
  return Object.entries(found ?? {})
    .slice(0, MAX_FILES)
    .flatMap(([key, { filename, content }]) =>
      content instanceof Uint8Array ? [{ name: filename ?? key, bytes: Buffer.from(content) }] : [],
    );
}

interface EmbeddedFile {
  readonly filename?: string;
  readonly content?: unknown;
}
