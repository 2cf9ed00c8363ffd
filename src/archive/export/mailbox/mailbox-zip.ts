import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Absence, isAsArchived, type MailContent, openContent, type WantedMail } from '../exported-mail';
import { fromLine, MboxQuoter } from '../mbox-format';
import type { DateSource } from '../../mails/writing/archive-dates';
import { jsonPieces } from '../json-pieces';
import { ZipStream } from '../zip-stream';
import type { ZipOpener } from '../zip-thread';
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
  /** The arrival; null when it is not known yet. */
  readonly received_at: string | null;
  /** Source of `date`; null when it is not known. */
  readonly date_source: DateSource | null;
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
  thread: ZipOpener,
  format: MailboxFormat,
  labelsOf: (mailId: string) => NamedLabels,
  deleted: readonly WantedMail[],
): AsyncGenerator<readonly Buffer[]> {
  const zip = new ZipStream(thread.begin({ compress: false }));
  const writer = format === 'maildir' ? new MaildirWriter(zip) : new MboxFilesWriter(zip);
  const mails: ListedMail[] = [];
  const missing: { id: string; mailbox_message_id: string; reason: Absence }[] = [];
  try {
    for await (const batch of batches) {
      for (const { mail, content } of batch) {
        const labels = labelsOf(mail.id);
        const found = Buffer.isBuffer(content) ? content : await openContent({ mail, content });
        if (typeof found === 'string') {
          missing.push({ id: mail.id, mailbox_message_id: mail.messageId, reason: found });
          continue;
        }
        const { file, size, sha256 } = Buffer.isBuffer(found)
          ? addWhole(writer, mail, labels, found)
          : yield* addInChunks(zip, writer, mail, labels, found);
        mails.push({
          file,
          id: mail.id,
          mailbox_message_id: mail.messageId,
          date: mail.date.toISOString(),
          received_at: mail.receivedAt?.toISOString() ?? null,
          date_source: mail.dateSource,
          labels: [...labels.system, ...labels.names],
          size_bytes: size,
          sha256,
          intact: isAsArchived(mail, sha256),
        });
      }
      yield* zip.send();
    }
    writer.end();
    for (const { id, messageId } of deleted)
      missing.push({ id, mailbox_message_id: messageId, reason: 'missing' });
    const now = new Date();
    const list = { generated_at: now.toISOString(), format, mails, missing };
    yield* zip.addInPieces(LABELS, now, jsonPieces(list, 1));
    yield* zip.end();
  } finally {
    zip.close();
  }
}

type MailInZip = MailContent['mail'];

/** A mail that has been written: its file, the number of its bytes, and their SHA-256, hex. */
interface WrittenMail {
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

function addWhole(writer: MailWriter, mail: MailInZip, labels: NamedLabels, content: Buffer): WrittenMail {
  const file = writer.add(mail, labels, content);
  return { file, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Writes a large mail, of which never more than some chunks are held. */
async function* addInChunks(
  zip: ZipStream,
  writer: MailWriter,
  mail: MailInZip,
  labels: NamedLabels,
  content: Readable,
): AsyncGenerator<readonly Buffer[], WrittenMail> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    const file = writer.open(mail, labels);
    for await (const chunk of content as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
      writer.write(chunk);
      yield* zip.send();
    }
    writer.close();
    return { file, size, sha256: hash.digest('hex') };
  } finally {
    content.destroy();
  }
}

/** Writes mails one after another in a format. */
interface MailWriter {
  /** Writes a mail. @returns the name of its file */
  add(mail: MailInZip, labels: NamedLabels, content: Buffer): string;
  /** Begins a mail whose bytes come in pieces. @returns the name of its file */
  open(mail: MailInZip, labels: NamedLabels): string;
  write(piece: Buffer): void;
  close(): void;
  /** Writes what follows the last mail. */
  end(): void;
}

/** Writes a file for each mail, in the folder of its first label. */
class MaildirWriter implements MailWriter {
  private readonly folders = new Set<string>(['Maildir']);

  constructor(private readonly zip: ZipStream) {}

  add(mail: MailInZip, labels: NamedLabels, content: Buffer): string {
    const name = this.nameOf(mail, labels);
    this.zip.add(name, mail.date, content);
    return name;
  }

  open(mail: MailInZip, labels: NamedLabels): string {
    const name = this.nameOf(mail, labels);
    this.zip.open(name, mail.date);
    return name;
  }

  write(piece: Buffer): void {
    this.zip.write(piece);
  }

  close(): void {
    this.zip.closeEntry();
  }

  /** Writes the three subfolders without which a folder is no Maildir. */
  end(): void {
    for (const folder of this.folders)
      for (const part of ['cur', 'new', 'tmp'])
        this.zip.add(`${folder}/${part}/`, new Date(), Buffer.alloc(0));
  }

  private nameOf(mail: MailInZip, labels: NamedLabels): string {
    const folder = maildirFolder(labels);
    this.folders.add(folder);
    return `${folder}/cur/${maildirName(mail, labels)}`;
  }
}

/** Writes mails one after another, in files of bounded size. */
class MboxFilesWriter implements MailWriter {
  private file: { readonly name: string; bytes: number } | null = null;
  private files = 0;
  private quoter = new MboxQuoter(true);

  constructor(private readonly zip: ZipStream) {}

  add(mail: MailInZip, _labels: NamedLabels, content: Buffer): string {
    const name = this.open(mail);
    this.write(content);
    this.close();
    return name;
  }

  open(mail: MailInZip): string {
    if (this.file && this.file.bytes >= MBOX_BYTES) this.end();
    if (!this.file) {
      const name = `mail-${String((this.files += 1)).padStart(4, '0')}.mbox`;
      this.file = { name, bytes: 0 };
      this.zip.open(name, new Date());
    }
    this.writeToFile(Buffer.from(fromLine(mail)));
    this.quoter = new MboxQuoter(true);
    return this.file.name;
  }

  write(piece: Buffer): void {
    this.writeToFile(this.quoter.write(piece));
  }

  close(): void {
    this.writeToFile(this.quoter.end());
  }

  end(): void {
    if (this.file) this.zip.closeEntry();
    this.file = null;
  }

  private writeToFile(bytes: Buffer): void {
    this.file!.bytes += bytes.length;
    this.zip.write(bytes);
  }
}
