import { emlPath } from '../mails/eml-path';
import type { MailEnvelope } from '../mails/mail-envelope';
import { type RebuiltFromResponse, toRebuiltFromResponse } from '../mails/dto/rebuilt-from.response';
import {
  type Absence,
  type ExportedMail,
  isAsArchived,
  type MailContent,
  openContent,
  type WantedMail,
} from './exported-mail';
import { jsonPieces } from './json-pieces';
import type { WrittenEntry } from './zip-archive';
import { ZipStream } from './zip-stream';
import type { DateSource } from '../mails/writing/archive-dates';
import type { ZipOpener } from './zip-thread';

const MANIFEST = 'manifest.json';

interface ManifestEntry {
  readonly file: string;
  readonly id: string;
  readonly mailbox_message_id: string;
  readonly subject: string;
  readonly sender: string;
  readonly date: string;
  /** The arrival; null when it is not known yet. */
  readonly received_at: string | null;
  /** Source of `date`; null when it is not known. */
  readonly date_source: DateSource | null;
  /** Number of bytes in the ZIP. */
  readonly size_bytes: number;
  /** SHA-256 of the bytes in the ZIP, hex. */
  readonly sha256: string;
  /** Whether the bytes are as they were archived. */
  readonly intact: boolean;
  /** The Outlook file that the message was rebuilt from; missing: the bytes are those that the source had. */
  readonly rebuilt_from?: RebuiltFromResponse;
  /** Only of mail that was copied to Mailroom. */
  readonly envelope?: MailEnvelope;
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
 * the request. Memory is constant; the work ends when the reader stops.
 * @param options.deleted mails deleted meanwhile, complete once the batches have ended
 */
export async function* zipOf(
  batches: AsyncIterable<readonly MailContent[]>,
  thread: ZipOpener,
  options: { compress: boolean; deleted?: readonly WantedMail[] },
): AsyncGenerator<readonly Buffer[]> {
  const zip = new ZipStream(thread.begin(options));
  const contents = new ZipContents(zip);
  try {
    for await (const batch of batches) {
      for (const mail of batch) yield* contents.add(mail);
      yield* zip.send();
    }
    yield* contents.end(options.deleted ?? []);
  } finally {
    zip.close();
  }
}

/** The contents of a ZIP so far. */
class ZipContents {
  private readonly mails: ManifestEntry[] = [];
  private readonly missing: MissingEntry[] = [];
  private readonly leftOut: LeftOutEntry[] = [];
  private readonly names = new Set<string>([MANIFEST]);

  constructor(private readonly zip: ZipStream) {}

  /** Writes the entry of a mail, if it has a content. A large mail is sent chunk by chunk. */
  async *add({ mail, content }: MailContent): AsyncGenerator<readonly Buffer[]> {
    const found = Buffer.isBuffer(content) ? content : await openContent({ mail, content });
    if (typeof found === 'string') {
      if (found === 'missing') this.missing.push(missingEntry(mail));
      else this.leftOut.push({ ...missingEntry(mail), reason: found });
      return;
    }
    const name = uniqueName(this.names, emlPath(mail));
    const onWritten = (entry: WrittenEntry): void => {
      this.mails.push(manifestEntry(name, mail, entry));
    };
    if (Buffer.isBuffer(found)) {
      this.zip.add(name, mail.date, found, onWritten);
      return;
    }
    try {
      yield* this.zip.addInPieces(name, mail.date, found as AsyncIterable<Buffer>, onWritten);
    } finally {
      found.destroy();
    }
  }

  /** Writes the manifest and the directory. */
  async *end(deleted: readonly WantedMail[]): AsyncGenerator<readonly Buffer[]> {
    // The manifest needs the hash of every mail.
    yield* this.zip.sendAll();
    const now = new Date();
    const manifest = {
      generated_at: now.toISOString(),
      mails: this.mails,
      missing: [...this.missing, ...deleted.map(missingEntry)],
      left_out: this.leftOut,
    };
    yield* this.zip.addInPieces(MANIFEST, now, jsonPieces(manifest, 2));
    yield* this.zip.end();
  }
}

function missingEntry({ id, messageId }: WantedMail): MissingEntry {
  return { id, mailbox_message_id: messageId };
}

function manifestEntry(file: string, mail: ExportedMail, { size, sha256 }: WrittenEntry): ManifestEntry {
  return {
    file,
    id: mail.id,
    mailbox_message_id: mail.messageId,
    subject: mail.subject,
    sender: mail.sender,
    date: mail.date.toISOString(),
    received_at: mail.receivedAt?.toISOString() ?? null,
    date_source: mail.dateSource,
    size_bytes: size,
    sha256,
    intact: isAsArchived(mail, sha256),
    ...(mail.rebuiltFrom ? { rebuilt_from: toRebuiltFromResponse(mail.rebuiltFrom) } : {}),
    ...(mail.envelope ? { envelope: mail.envelope } : {}),
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
