import archiver, { Archiver } from 'archiver';
import { createHash, Hash } from 'node:crypto';
import { once } from 'node:events';
import { Readable, Transform } from 'node:stream';
import { closeMail, type ExportedMail, type OpenedMail } from './exported-mail';
import { zipEntryName } from './zip-entry-name';

const MANIFEST = 'manifest.json';

interface ManifestEntry {
  readonly file: string;
  readonly id: string;
  readonly mailbox_message_id: string;
  readonly subject: string;
  readonly sender: string;
  readonly date: string;
  readonly size_bytes: number;
  /** Of the bytes in the ZIP, hex. */
  readonly sha256: string;
  /** False when they are not the bytes that were archived. */
  readonly intact: boolean;
}

/**
 * A ZIP (Zip64 when it has to be) of mails, stored or deflated, and at its end `manifest.json`, which names every
 * entry with its SHA-256 and every mail whose file was missing. An entry is begun when the one before has been
 * taken, so memory does not grow with the export; who stops reading stops the work.
 */
export function zipOf(mails: AsyncIterable<OpenedMail>, options: { compress: boolean }): Readable {
  const archive = archiver('zip', { store: !options.compress, zlib: { level: 6 } });
  // A failure destroys the stream, which tells the reader; nobody else waits for this promise.
  void fill(archive, mails).catch((error: Error) => archive.destroy(error));
  return archive;
}

async function fill(archive: Archiver, mails: AsyncIterable<OpenedMail>): Promise<void> {
  const closed = new AbortController();
  archive.once('close', () => closed.abort());
  archive.once('error', () => closed.abort());
  const entries: ManifestEntry[] = [];
  const missing: { id: string; mailbox_message_id: string }[] = [];
  const names = new Set<string>([MANIFEST]);
  for await (const opened of mails) {
    const { mail, content } = opened;
    try {
      if (closed.signal.aborted) return;
      if (content === null) {
        missing.push({ id: mail.id, mailbox_message_id: mail.messageId });
        continue;
      }
      const file = uniqueName(names, zipEntryName(mail));
      const hash = createHash('sha256');
      const entry = { name: file, date: mail.date };
      if (!(await append(archive, hashed(content, hash), entry, closed.signal))) return;
      entries.push(manifestEntry(file, mail, hash.digest('hex')));
    } finally {
      closeMail(opened);
    }
  }
  const manifest = { generated_at: new Date().toISOString(), mails: entries, missing };
  const json = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  if (await append(archive, json, { name: MANIFEST }, closed.signal)) await archive.finalize();
}

/**
 * @returns false when the reader has gone away instead
 * @throws what the content fails with: archiver listens to no errors of its sources and would wait for ever
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

function hashed(content: Buffer | Readable, hash: Hash): Buffer | Readable {
  if (!(content instanceof Readable)) {
    hash.update(content);
    return content;
  }
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  content.once('error', (error) => hashing.destroy(error));
  hashing.once('close', () => content.destroy());
  return content.pipe(hashing);
}

function manifestEntry(file: string, mail: ExportedMail, sha256: string): ManifestEntry {
  return {
    file,
    id: mail.id,
    mailbox_message_id: mail.messageId,
    subject: mail.subject,
    sender: mail.sender,
    date: mail.date.toISOString(),
    size_bytes: mail.sizeBytes,
    sha256,
    intact: sha256 === mail.sha256,
  };
}

/** Eight letters of an id can meet twice; file systems that ignore case must not lose one of them. */
function uniqueName(taken: Set<string>, name: string): string {
  let unique = name;
  for (let number = 2; taken.has(unique.toLowerCase()); number++) {
    unique = name.replace(/\.eml$/, `-${number}.eml`);
  }
  taken.add(unique.toLowerCase());
  return unique;
}
