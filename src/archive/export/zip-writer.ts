import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { emlPath } from '../mails/eml-path';
import { exportSteps } from './export-steps';
import type { ExportThreads } from './export-threads';
import {
  type Absence,
  type ExportedMail,
  isAsArchived,
  type MailContent,
  openContent,
  type ReadMail,
  type UnreadMail,
  type WantedMail,
} from './exported-mail';
import {
  centralDirectory,
  DEFLATED,
  descriptor,
  localHeader,
  STORED,
  type ZipEntry,
  type ZipEntryBytes,
  type ZipEntryStart,
} from './zip-format';
import { DEFLATE_LEVEL, zipMails, type ZipPart } from './zip-mails';

const MANIFEST = 'manifest.json';
/** Size of the chunks in which a large mail is deflated. */
const DEFLATED_CHUNK = 256 * 1024;

interface ManifestEntry {
  readonly file: string;
  readonly id: string;
  readonly mailbox_message_id: string;
  readonly subject: string;
  readonly sender: string;
  readonly date: string;
  /** Number of bytes in the ZIP. */
  readonly size_bytes: number;
  /** SHA-256 of the bytes in the ZIP, hex. */
  readonly sha256: string;
  /** Whether the bytes are as they were archived. */
  readonly intact: boolean;
}

interface MissingEntry {
  readonly id: string;
  readonly mailbox_message_id: string;
}

/** A mail of the archive that is not in the ZIP. */
interface LeftOutEntry extends MissingEntry {
  readonly reason: Exclude<Absence, 'missing'>;
}

/** Mails with their place in the ZIP. */
interface MailsInZip extends ZipPart {
  readonly sources: readonly { readonly mail: ExportedMail; readonly start: ZipEntryStart }[];
}

/**
 * A ZIP (Zip64 if needed) of mails, stored or deflated, which ends with `manifest.json`. The manifest lists every entry
 * with its SHA-256 and whether it is as archived, and every mail that is not in the ZIP: `missing`, its file lost or
 * deleted meanwhile; `altered`, its encrypted file does not decrypt; or `encrypted` meanwhile without a passphrase in
 * the request. Memory is constant; the work ends when the reader stops.
 * @param options.deleted mails deleted meanwhile, complete once the batches have ended
 */
export async function* zipOf(
  batches: AsyncIterable<readonly MailContent[]>,
  threads: Pick<ExportThreads, 'zip'>,
  options: { compress: boolean; deleted?: readonly WantedMail[] },
): AsyncGenerator<readonly Buffer[]> {
  const zip = new ZipContents(options.compress);
  const make = async (mails: readonly ReadMail[]): Promise<MailsInZip> => {
    // This comes before any `await`, so that names are given in the order of the mails.
    const sources = mails.map(({ mail }) => ({ mail, start: zip.startOf(mail) }));
    const contents = mails.map(({ content }) => content);
    return {
      sources,
      ...(await threads.zip(
        contents,
        sources.map(({ start }) => start),
      )),
    };
  };
  for await (const step of exportSteps(batches, make)) {
    if ('single' in step) {
      yield* zip.add(step.single);
    } else {
      zip.addAll(step.part);
      yield step.part.pieces;
    }
  }
  yield zip.end(options.deleted ?? []);
}

/** The contents of a ZIP so far. */
class ZipContents {
  private readonly entries: ZipEntry[] = [];
  private readonly mails: ManifestEntry[] = [];
  private readonly missing: MissingEntry[] = [];
  private readonly leftOut: LeftOutEntry[] = [];
  private readonly names = new Set<string>([MANIFEST]);
  private readonly method: ZipEntryStart['method'];
  /** Offset at which the next entry begins. */
  private offset = 0;

  constructor(compress: boolean) {
    this.method = compress ? DEFLATED : STORED;
  }

  startOf(mail: ExportedMail): ZipEntryStart {
    return { name: uniqueName(this.names, emlPath(mail)), date: mail.date, method: this.method };
  }

  /** Notes mails whose entries are written next. */
  addAll({ sources, mails }: MailsInZip): void {
    for (const [index, { mail, start }] of sources.entries()) {
      const { length, sha256, ...bytes } = mails[index]!;
      this.recordEntry(start, bytes, length);
      this.mails.push(manifestEntry(start.name, mail, bytes.size, sha256));
    }
  }

  /** Writes the entry of a large mail, if it has a content. */
  async *add(unread: UnreadMail): AsyncGenerator<readonly Buffer[]> {
    const { mail } = unread;
    const content = await openContent(unread);
    if (typeof content === 'string') {
      if (content === 'missing') this.missing.push(missingEntry(mail));
      else this.leftOut.push({ ...missingEntry(mail), reason: content });
      return;
    }
    try {
      const start = this.startOf(mail);
      const header = localHeader(start, null);
      yield [header];
      const measured = new Measured();
      let compressedSize = 0;
      const plain = measured.measure(content);
      for await (const chunk of start.method === DEFLATED ? deflateChunks(plain) : plain) {
        compressedSize += chunk.length;
        yield [chunk];
      }
      const bytes = { crc: measured.crc, size: measured.bytes, compressedSize };
      const end = descriptor(bytes);
      yield [end];
      this.recordEntry(start, bytes, header.length + compressedSize + end.length, { hasDescriptor: true });
      this.mails.push(manifestEntry(start.name, mail, measured.bytes, measured.sha256()));
    } finally {
      content.destroy();
    }
  }

  /** The manifest and the directory. */
  end(deleted: readonly WantedMail[]): Buffer[] {
    const missing = [...this.missing, ...deleted.map(missingEntry)];
    const now = new Date();
    const manifest = {
      generated_at: now.toISOString(),
      mails: this.mails,
      missing,
      left_out: this.leftOut,
    };
    const json = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    const start = { name: MANIFEST, date: now, method: this.method };
    const { pieces, mails } = zipMails([json], [start]);
    const { length, crc, size, compressedSize } = mails[0]!;
    this.recordEntry(start, { crc, size, compressedSize }, length);
    return [...pieces, centralDirectory(this.entries, this.offset)];
  }

  private recordEntry(
    start: ZipEntryStart,
    bytes: ZipEntryBytes,
    length: number,
    { hasDescriptor = false } = {},
  ): void {
    this.entries.push({ ...start, ...bytes, offset: this.offset, hasDescriptor });
    this.offset += length;
  }
}

/** Counts and hashes the plain bytes of a message that passes. */
class Measured {
  private readonly hash = createHash('sha256');
  bytes = 0;
  crc = 0;

  async *measure(content: Readable): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      this.hash.update(chunk);
      this.crc = crc32(chunk, this.crc);
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  /** SHA-256 of the bytes, 64 hex digits; can be called once. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}

async function* deflateChunks(plain: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const deflate = createDeflateRaw({ level: DEFLATE_LEVEL, chunkSize: DEFLATED_CHUNK });
  // A failure destroys the stream, and so reaches the reader.
  pipeline(plain, deflate).catch(() => undefined);
  yield* deflate as AsyncIterable<Buffer>;
}

function missingEntry({ id, messageId }: WantedMail): MissingEntry {
  return { id, mailbox_message_id: messageId };
}

function manifestEntry(file: string, mail: ExportedMail, size: number, sha256: string): ManifestEntry {
  return {
    file,
    id: mail.id,
    mailbox_message_id: mail.messageId,
    subject: mail.subject,
    sender: mail.sender,
    date: mail.date.toISOString(),
    size_bytes: size,
    sha256,
    intact: isAsArchived(mail, sha256),
  };
}

/** A name that no other entry has in any case: the eight characters of two ids may coincide, and some file systems ignore case. */
function uniqueName(taken: Set<string>, name: string): string {
  let unique = name;
  for (let number = 2; taken.has(unique.toLowerCase()); number++) {
    unique = name.replace(/\.eml$/, `-${number}.eml`);
  }
  taken.add(unique.toLowerCase());
  return unique;
}
