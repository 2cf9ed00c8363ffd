import { searchVector } from '../search/search-vector';
import { parseMessage, type ParsedMessage } from '../../mime/parse-message';

export interface ParseTask {
  /** The raw message; a view of a larger buffer is fine. */
  raw: Uint8Array | ArrayBuffer;
  /** Also answer the visible text (256 KiB at most), which the archive itself does not store. */
  withText?: boolean;
  /** A BigInt64 that is set to the time the work begins, in milliseconds since 1970: waiting for a thread is not work. */
  startedAt?: SharedArrayBuffer;
}

/** What the archive keeps of a message: the parsed message without its text, and what makes it findable. */
export interface ArchiveParse extends Omit<ParsedMessage, 'text' | 'recipients'> {
  /** Input for `$1::tsvector`. */
  searchVector: string;
  text?: string;
}

/** Worker-thread entry: parses one message for the archive. Never throws; see `parseMessage`. */
export function parseForArchive({ raw, withText = false, startedAt }: ParseTask): ArchiveParse {
  if (startedAt) Atomics.store(new BigInt64Array(startedAt), 0, BigInt(Date.now()));
  const bytes =
    raw instanceof ArrayBuffer ? Buffer.from(raw) : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { text, recipients, ...parsed } = parseMessage(bytes);
  const vector = searchVector({
    subject: parsed.subject,
    sender: parsed.sender,
    recipients: recipients.join(' '),
    attachmentNames: parsed.attachments.map((attachment) => attachment.filename),
    text,
  });
  return { ...parsed, searchVector: vector, ...(withText ? { text } : {}) };
}
