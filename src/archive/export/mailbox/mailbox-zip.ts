import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Absence, isAsArchived, type MailContent, openContent, type WantedMail } from '../exported-mail';
import { fromLine, MboxQuoter } from '../mbox-format';
import { centralDirectory, descriptor, localHeader, STORED, type ZipEntry } from '../zip-format';
import { maildirFolder, maildirName, type NamedLabels } from './maildir-names';

export const MAILBOX_FORMATS = ['maildir', 'mbox'] as const;
export type MailboxFormat = (typeof MAILBOX_FORMATS)[number];

/** Size after which an mbox file is ended: some programs cannot read larger files. */
const MBOX_BYTES = 1024 ** 3;
const LABELS = 'labels.json';

interface ListedMail {
  readonly file: string;
  readonly id: string;
  readonly mailbox_message_id: string;
  readonly date: string;
  readonly labels: readonly string[];
  /** Number of bytes of the message. */
  readonly size_bytes: number;
  /** SHA-256 of the message, hex. */
  readonly sha256: string;
  /** Whether the message is as it was archived. */
  readonly intact: boolean;
}

/**
 * A ZIP of a mailbox that other programs read: a Maildir++ tree, or mboxrd files in which the messages keep their line ends.
 * Both hold every byte of a message as it was archived. It ends with `labels.json`: each mail with its labels, size and
 * SHA-256, in the order of its file, and those that are missing, with the reason. Memory is constant but for that list.
 * @param labelsOf of a mail of the batch
 * @param deleted mails deleted meanwhile, complete once the batches have ended
 */
export async function* mailboxZip(
  batches: AsyncIterable<readonly MailContent[]>,
  format: MailboxFormat,
  labelsOf: (mailId: string) => NamedLabels,
  deleted: readonly WantedMail[],
): AsyncGenerator<readonly Buffer[]> {
  const zip = new ZipSink();
  const writer = format === 'maildir' ? new MaildirWriter(zip) : new MboxFilesWriter(zip);
  const mails: ListedMail[] = [];
  const missing: { id: string; mailbox_message_id: string; reason: Absence }[] = [];
  for await (const batch of batches) {
    for (const { mail, content } of batch) {
      const labels = labelsOf(mail.id);
      const found = Buffer.isBuffer(content) ? content : await openContent({ mail, content });
      if (typeof found === 'string') {
        missing.push({ id: mail.id, mailbox_message_id: mail.messageId, reason: found });
        continue;
      }
      const measured = new Measured();
      const file = yield* writer.add(mail, labels, measured.measure(found));
      const sha256 = measured.sha256();
      mails.push({
        file,
        id: mail.id,
        mailbox_message_id: mail.messageId,
        date: mail.date.toISOString(),
        labels: [...labels.system, ...labels.names],
        size_bytes: measured.bytes,
        sha256,
        intact: isAsArchived(mail, sha256),
      });
    }
  }
  yield* writer.end();
  for (const { id, messageId } of deleted)
    missing.push({ id, mailbox_message_id: messageId, reason: 'missing' });
  const now = new Date();
  const list = { generated_at: now.toISOString(), format, mails, missing };
  yield zip.writeWhole(LABELS, now, Buffer.from(`${JSON.stringify(list, null, 1)}\n`));
  yield zip.end();
}

/** Writes the entries of a ZIP one after another. */
class ZipSink {
  private readonly entries: ZipEntry[] = [];
  /** Offset at which the next entry begins. */
  private offset = 0;

  writeWhole(name: string, date: Date, bytes: Buffer): Buffer[] {
    const start = { name, date, method: STORED } as const;
    const facts = { crc: crc32(bytes), size: bytes.length, compressedSize: bytes.length };
    const header = localHeader(start, facts);
    this.entries.push({ ...start, ...facts, offset: this.offset, hasDescriptor: false });
    this.offset += header.length + bytes.length;
    return [header, bytes];
  }

  /** Begins an entry whose bytes are not known yet: returns its header, and functions for each piece and for the end. */
  open(name: string, date: Date): { header: Buffer; take(piece: Buffer): Buffer; close(): Buffer } {
    const start = { name, date, method: STORED } as const;
    const header = localHeader(start, null);
    let crc = 0;
    let size = 0;
    return {
      header,
      take: (piece) => {
        crc = crc32(piece, crc);
        size += piece.length;
        return piece;
      },
      close: () => {
        const facts = { crc, size, compressedSize: size };
        const end = descriptor(facts);
        this.entries.push({ ...start, ...facts, offset: this.offset, hasDescriptor: true });
        this.offset += header.length + size + end.length;
        return end;
      },
    };
  }

  end(): Buffer[] {
    return [centralDirectory(this.entries, this.offset)];
  }
}

type MailInZip = MailContent['mail'];
type Pieces = AsyncIterable<Buffer>;

/** Writes a file for each mail, in the folder of its first label. */
class MaildirWriter {
  private readonly folders = new Set<string>(['Maildir']);

  constructor(private readonly zip: ZipSink) {}

  async *add(
    mail: MailInZip,
    labels: NamedLabels,
    pieces: Pieces,
  ): AsyncGenerator<readonly Buffer[], string> {
    const folder = maildirFolder(labels);
    this.folders.add(folder);
    const name = `${folder}/cur/${maildirName(mail, labels)}`;
    const entry = this.zip.open(name, mail.date);
    yield [entry.header];
    for await (const piece of pieces) yield [entry.take(piece)];
    yield [entry.close()];
    return name;
  }

  /** Writes the three subfolders without which a folder is no Maildir. */
  async *end(): AsyncGenerator<readonly Buffer[]> {
    for (const folder of this.folders)
      for (const part of ['cur', 'new', 'tmp'])
        yield this.zip.writeWhole(`${folder}/${part}/`, new Date(), Buffer.alloc(0));
  }
}

/** Writes mails one after another, in files of bounded size. */
class MboxFilesWriter {
  private file: { name: string; bytes: number; entry: ReturnType<ZipSink['open']> } | null = null;
  private files = 0;

  constructor(private readonly zip: ZipSink) {}

  async *add(
    mail: MailInZip,
    _labels: NamedLabels,
    pieces: Pieces,
  ): AsyncGenerator<readonly Buffer[], string> {
    if (this.file && this.file.bytes >= MBOX_BYTES) yield* this.end();
    if (!this.file) {
      const name = `mail-${String((this.files += 1)).padStart(4, '0')}.mbox`;
      this.file = { name, bytes: 0, entry: this.zip.open(name, new Date()) };
      yield [this.file.entry.header];
    }
    const { file } = this;
    const take = (piece: Buffer): Buffer => {
      file.bytes += piece.length;
      return file.entry.take(piece);
    };
    yield [take(Buffer.from(fromLine(mail)))];
    const quoter = new MboxQuoter(true);
    for await (const piece of pieces) yield [take(quoter.write(piece))];
    yield [take(quoter.end())];
    return file.name;
  }

  async *end(): AsyncGenerator<readonly Buffer[]> {
    if (this.file) yield [this.file.entry.close()];
    this.file = null;
  }
}

/** Counts and hashes the bytes of a message that pass. */
class Measured {
  private readonly hash = createHash('sha256');
  bytes = 0;

  async *measure(content: Buffer | Readable): AsyncGenerator<Buffer, void, undefined> {
    if (Buffer.isBuffer(content)) {
      yield this.take(content);
      return;
    }
    try {
      for await (const chunk of content as AsyncIterable<Buffer>) yield this.take(chunk);
    } finally {
      content.destroy();
    }
  }

  /** SHA-256 of the bytes, 64 hex digits; can be called once. */
  sha256(): string {
    return this.hash.digest('hex');
  }

  private take(chunk: Buffer): Buffer {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    return chunk;
  }
}
