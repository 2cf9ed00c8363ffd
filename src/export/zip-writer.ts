import archiver, { Archiver } from 'archiver';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable, Transform } from 'node:stream';
import {
  type Absence,
  type ExportedMail,
  isAsArchived,
  type MailContent,
  openContent,
  type WantedMail,
} from './exported-mail';
import { emlPath } from '../archive/eml-path';

const MANIFEST = 'manifest.json';
/** Bytes of finished entries that may wait for the reader before another is begun. */
const BACKLOG = 1024 * 1024;
/** Emitted by the archive when the reader has taken a chunk. */
const TAKEN = Symbol('taken');

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
  /** False when they are not the bytes that were archived. */
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

/**
 * A ZIP (Zip64 if needed) of mails, stored or deflated, which ends with `manifest.json`. The manifest lists every entry
 * with its SHA-256 and whether it is as archived, and every mail that is not in the ZIP: `missing`, its file lost or
 * deleted meanwhile; `altered`, its encrypted file does not decrypt; or `encrypted` meanwhile without a passphrase in
 * the request. An entry begins once the reader has taken all but a megabyte of the ones before, so memory is constant;
 * when the reader stops, so does the work.
 * @param options.deleted mails deleted meanwhile, complete once the batches have ended
 */
export async function* zipOf(
  batches: AsyncIterable<readonly MailContent[]>,
  options: { compress: boolean; deleted?: readonly WantedMail[] },
): AsyncGenerator<Buffer[]> {
  const archive = archiver('zip', { store: !options.compress, zlib: { level: 6 } });
  // A failure destroys the stream, and so reaches the reader; nothing awaits this promise.
  void new ZipWriter(archive)
    .write(batches, options.deleted ?? [])
    .catch((error: Error) => archive.destroy(error));
  try {
    for await (const chunk of archive) {
      yield [chunk as Buffer];
      archive.emit(TAKEN);
    }
  } finally {
    archive.destroy();
  }
}

class ZipWriter {
  private readonly closed = new AbortController();
  private readonly entries: ManifestEntry[] = [];
  private readonly missing: MissingEntry[] = [];
  private readonly leftOut: LeftOutEntry[] = [];
  private readonly names = new Set<string>([MANIFEST]);

  constructor(private readonly archive: Archiver) {
    archive.once('close', () => this.closed.abort());
    archive.once('error', () => this.closed.abort());
  }

  /** Ends early, without an error, when the reader has gone away. */
  async write(batches: AsyncIterable<readonly MailContent[]>, deleted: readonly WantedMail[]): Promise<void> {
    for await (const batch of batches) {
      for (const mail of batch) {
        if (!(await this.add(mail))) return;
      }
    }
    const { entries: mails } = this;
    const missing = [...this.missing, ...deleted.map(missingEntry)];
    const manifest = { generated_at: new Date().toISOString(), mails, missing, left_out: this.leftOut };
    const json = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    if (await append(this.archive, json, { name: MANIFEST }, this.closed.signal))
      await this.archive.finalize();
  }

  /** @returns false when the reader has gone away */
  private async add(opened: MailContent): Promise<boolean> {
    const { mail } = opened;
    if (!(await this.hasRoom())) return false;
    const content = await openContent(opened);
    if (typeof content === 'string') {
      if (content === 'missing') this.missing.push(missingEntry(mail));
      else this.leftOut.push({ ...missingEntry(mail), reason: content });
      return true;
    }
    const file = uniqueName(this.names, emlPath(mail));
    const measured = new Measured();
    const entry = { name: file, date: mail.date };
    try {
      if (!(await append(this.archive, measured.passing(content), entry, this.closed.signal))) return false;
    } finally {
      if (content instanceof Readable) content.destroy();
    }
    this.entries.push(manifestEntry(file, mail, measured));
    return true;
  }

  /** archiver buffers without limit: a slow reader would pull the whole export into memory. */
  private async hasRoom(): Promise<boolean> {
    const { archive } = this;
    while (!this.closed.signal.aborted && archive.readableLength + archive.writableLength > BACKLOG) {
      await once(archive, TAKEN, { signal: this.closed.signal }).catch(() => undefined);
    }
    return !this.closed.signal.aborted;
  }
}

/**
 * @returns false when the reader has gone away instead
 * @throws the error of the content: archiver ignores errors of its sources and would wait for ever
 */
async function append(
  archive: Archiver,
  content: Buffer | Readable,
  entry: { name: string; date?: Date },
  closed: AbortSignal,
): Promise<boolean> {
  const taken = once(archive, 'entry', { signal: closed }).then(
    () => true,
    (error: unknown) => {
      if (closed.aborted) return false;
      throw error;
    },
  );
  const outcomes = [taken];
  if (content instanceof Readable) outcomes.push(failureOf(content));
  archive.append(content, entry);
  try {
    return await Promise.race(outcomes);
  } finally {
    if (content instanceof Readable) content.destroy();
  }
}

function failureOf(content: Readable): Promise<never> {
  return new Promise((_resolve, reject) => {
    content.on('error', reject);
  });
}

/** Size and hash of a message in the ZIP. */
class Measured {
  private readonly hash = createHash('sha256');
  bytes = 0;

  passing(content: Buffer | Readable): Buffer | Readable {
    if (!(content instanceof Readable)) {
      this.add(content);
      return content;
    }
    const measuring = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.add(chunk);
        done(null, chunk);
      },
    });
    content.once('error', (error) => measuring.destroy(error));
    measuring.once('close', () => content.destroy());
    return content.pipe(measuring);
  }

  /** Hex; can be asked for once. */
  sha256(): string {
    return this.hash.digest('hex');
  }

  private add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
  }
}

function missingEntry({ id, messageId }: WantedMail): MissingEntry {
  return { id, mailbox_message_id: messageId };
}

function manifestEntry(file: string, mail: ExportedMail, measured: Measured): ManifestEntry {
  const sha256 = measured.sha256();
  return {
    file,
    id: mail.id,
    mailbox_message_id: mail.messageId,
    subject: mail.subject,
    sender: mail.sender,
    date: mail.date.toISOString(),
    size_bytes: measured.bytes,
    sha256,
    intact: isAsArchived(mail, sha256),
  };
}

/** Eight characters of an id may coincide; a file system that ignores case must not lose a file. */
function uniqueName(taken: Set<string>, name: string): string {
  let unique = name;
  for (let number = 2; taken.has(unique.toLowerCase()); number++) {
    unique = name.replace(/\.eml$/, `-${number}.eml`);
  }
  taken.add(unique.toLowerCase());
  return unique;
}
