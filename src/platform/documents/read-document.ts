import { isCompoundFile, readCompoundFile } from './compound-file';
import type { DocumentFile } from './document-file';
import { placeIn } from './document-file';
import {
  damaged,
  DOCUMENT_LIMITS,
  type DocumentLimits,
  type DocumentProblem,
  type DocumentReading,
  DocumentText,
  DocumentUnread,
  protectedByPassword,
} from './document-text';
import { gunzip, isGzip, isTar, readTarArchive, readZipArchive } from './formats/archives';
import { looksLikeMessage, readMimeMessage, readTnef } from './formats/mime-message';
import { readOpenDocument } from './formats/open-document';
import { isOutlookMessage, readOutlookMessage } from './formats/outlook-message';
import { isPdf, readPdf } from './formats/pdf';
import { isPlainText, readPlainFile } from './formats/plain-file';
import { readSheetsBinary } from './formats/sheets-binary';
import { readSheetsXml } from './formats/sheets-xml';
import { readSlidesBinary } from './formats/slides-binary';
import { readSlidesXml } from './formats/slides-xml';
import { readWordBinary } from './formats/word-binary';
import { readWordXml } from './formats/word-xml';
import { htmlToText } from '../mime/html-text';
import { rtfToText } from '../mime/tnef/rtf-text';
import { Unzip } from './unzip';
import { addPictures } from './pictures/add-pictures';
import { pictureSizes } from './pictures/picture-size';

const MESSAGE_TYPE = /^message\/(?:rfc822|global|news)$/;
/** Signatures of a ZIP file: the first member, or the end of one without members. */
const ZIP = ['PK\x03\x04', 'PK\x05\x06'];

/** Signature of winmail.dat (MS-OXTNEF 2.1.3.1). */
const TNEF = 0x223e9f78;

export interface ReadingOptions {
  readonly limits?: DocumentLimits;
  /** Whether the contents of files with pictures within the document are wanted. */
  readonly wantsPictures?: boolean;
}

/**
 * Reads the text of a document of any known format, recognised by its content. Never throws: what cannot be read is the problem of
 * the answer, and what was read until then its pages. A file that is no document has neither.
 */
export async function readDocument(
  file: Pick<DocumentFile, 'bytes' | 'name' | 'mimeType'>,
  { limits = DOCUMENT_LIMITS, wantsPictures = false }: ReadingOptions = {},
): Promise<DocumentReading> {
  const reader = new DocumentReader(new DocumentText(limits, wantsPictures));
  return reader.read({ ...file, member: null, depth: 0 });
}

class DocumentReader {
  constructor(private readonly text: DocumentText) {}

  async read(file: DocumentFile): Promise<DocumentReading> {
    try {
      await this.readFile(file);
      return this.result(this.text.problemOfMember);
    } catch (error) {
      // A reader may throw anything at a file that is made up to break it.
      return this.result(problemOf(error));
    }
  }

  private result(problem: DocumentProblem | null): DocumentReading {
    const { pages, pictures, pictureFiles } = this.text;
    return { pages, problem, pictures, pictureFiles };
  }

  /** Reads a file in another one. The limits are those of all together. */
  private readonly readMember = async (file: DocumentFile): Promise<void> => {
    try {
      if (file.depth > this.text.limits.maxDepth)
        throw new DocumentUnread({ state: 'too-large', reason: 'nesting-limit' });
      await this.readFile(file);
    } catch (error) {
      this.text.skipMember(problemOf(error));
    }
  };

  private async readFile(file: DocumentFile): Promise<void> {
    const { bytes } = file;
    this.text.checkTime();
    const start = bytes.toString('latin1', 0, 4);
    if (ZIP.includes(start)) return this.readZip(file);
    if (isCompoundFile(bytes)) return this.readCompound(file);
    if (isGzip(bytes)) return this.readUnpacked(file);
    if (isTar(bytes)) return readTarArchive(file, this.text, this.readMember);
    if (bytes.length > 4 && bytes.readUInt32LE(0) === TNEF) return readTnef(file, this.text, this.readMember);
    if (start === '{\\rt') return this.readRtf(file);
    if (MESSAGE_TYPE.test(file.mimeType)) return this.readMessage(file);
    if (isPdf(bytes)) return readPdf(file, this.text, this.readMember);
    const sizes = pictureSizes(bytes);
    if (sizes.length > 0) return addPictures(file, sizes, this.text);
    if (!isPlainText(bytes)) return;
    if (looksLikeMessage(bytes.toString('latin1', 0, 4_096))) return this.readMessage(file);
    this.text.add(placeIn(file), readPlainFile(file, this.text));
  }

  private readMessage(file: DocumentFile): Promise<void> {
    // The files of a message in a part of the mail are listed as attachments of the mail.
    const isPart = file.depth === 0 && MESSAGE_TYPE.test(file.mimeType);
    return readMimeMessage(file, this.text, isPart ? null : this.readMember);
  }

  private readRtf(file: DocumentFile): void {
    const { kind, text } = rtfToText(file.bytes, true);
    this.text.add(placeIn(file), kind === 'html' ? htmlToText(text, this.text.room + 1) : text);
  }

  private async readUnpacked(file: DocumentFile): Promise<void> {
    const bytes = await gunzip(file.bytes, this.text);
    const name = file.name.replace(/\.t?gz$/i, (ending) => (ending.toLowerCase() === '.tgz' ? '.tar' : ''));
    await this.readFile({ ...file, bytes, name, mimeType: '', depth: file.depth + 1 });
  }

  private async readZip(file: DocumentFile): Promise<void> {
    const { text } = this;
    const zip = await Unzip.open(file.bytes, text);
    const has = (start: string): boolean => zip.members.some(({ path }) => path.startsWith(start));
    if (zip.find('[Content_Types].xml')) {
      if (has('word/')) return readWordXml(file, zip, text);
      if (has('xl/')) return readSheetsXml(file, zip, text);
      if (has('ppt/')) return readSlidesXml(file, zip, text);
    }
    const type = zip.find('mimetype');
    if (type && zip.find('content.xml') && type.size < 200) {
      const name = (await zip.read(type)).toString('latin1');
      if (name.startsWith('application/vnd.oasis.opendocument')) return readOpenDocument(file, zip, text);
    }
    return readZipArchive(file, zip, text, this.readMember);
  }

  private async readCompound(file: DocumentFile): Promise<void> {
    const root = readCompoundFile(file.bytes);
    const { streams } = root;
    if (streams.has('EncryptedPackage')) throw protectedByPassword();
    if (streams.has('WordDocument')) return this.text.add(placeIn(file), readWordBinary(root));
    if (streams.has('Workbook') || streams.has('Book')) return readSheetsBinary(file, root, this.text);
    if (streams.has('PowerPoint Document')) return readSlidesBinary(file, root, this.text);
    if (isOutlookMessage(root)) return readOutlookMessage(file, root, this.text, this.readMember);
  }
}

function problemOf(error: unknown): DocumentProblem {
  if (error instanceof DocumentUnread) return error.problem;
  return damaged().problem;
}
