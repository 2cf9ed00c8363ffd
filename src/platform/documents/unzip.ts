import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { damaged, type DocumentText, DocumentUnread } from './document-text';

const ENCRYPTED = 0x1;
const MAX_ENTRIES = 20_000;

/** A member of a ZIP file. */
export interface ZipMember {
  readonly path: string;
  readonly isEncrypted: boolean;
  readonly size: number;
  readonly entry: Entry;
}

/** Reads members of a ZIP file that is in memory, within the limits of its document. */
export class Unzip {
  private constructor(
    private readonly file: ZipFile,
    readonly members: readonly ZipMember[],
    private readonly text: DocumentText,
  ) {}

  /** @throws DocumentUnread when it is damaged, or has too many members */
  static async open(bytes: Buffer, text: DocumentText): Promise<Unzip> {
    const members: ZipMember[] = [];
    try {
      const options = { lazyEntries: true, validateEntrySizes: true, strictFileNames: false };
      const file = await promisify<Buffer, object, ZipFile>(yauzl.fromBuffer)(bytes, options);
      await new Promise<void>((resolve, reject) => {
        file.on('entry', (entry: Entry) => {
          if (!entry.fileName.endsWith('/'))
            members.push({
              path: entry.fileName,
              isEncrypted: (entry.generalPurposeBitFlag & ENCRYPTED) !== 0,
              size: entry.uncompressedSize,
              entry,
            });
          if (members.length > MAX_ENTRIES)
            reject(new DocumentUnread({ state: 'too-large', reason: 'unpacked-limit' }));
          else file.readEntry();
        });
        file.once('end', resolve).once('error', reject);
        file.readEntry();
      });
      return new Unzip(file, members, text);
    } catch (error) {
      throw error instanceof DocumentUnread ? error : damaged();
    }
  }

  find(path: string): ZipMember | undefined {
    return this.members.find((member) => member.path === path);
  }

  /** Yields the bytes of a member. @throws DocumentUnread when it is damaged or too large */
  async *stream(member: ZipMember): AsyncGenerator<Buffer, void, undefined> {
    let source: Readable | null = null;
    try {
      source = await promisify<Entry, Readable>(this.file.openReadStream.bind(this.file))(member.entry);
      for await (const chunk of source as AsyncIterable<Buffer>) {
        this.text.countUnpacked(chunk.length);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof DocumentUnread ? error : damaged();
    } finally {
      source?.destroy();
    }
  }

  /** Reads a member into memory. @throws DocumentUnread when it is damaged or too large */
  async read(member: ZipMember): Promise<Buffer> {
    if (member.size > this.text.limits.maxMember)
      throw new DocumentUnread({ state: 'too-large', reason: 'member-limit' });
    const chunks: Buffer[] = [];
    for await (const chunk of this.stream(member)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
}
