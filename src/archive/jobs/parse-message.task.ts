import { searchVector } from '../search/search-vector';
import { parseMessage, type ParsedMessage } from '../../mime/parse-message';

export interface ParseTask {
  /** The raw message; a view of a larger buffer is fine. */
  raw: Uint8Array | ArrayBuffer;
  /** Also answer the visible text (256 KiB at most), which the archive itself does not store. */
  withText?: boolean;
}

export interface ParseManyTask {
  /** The raw messages, one directly after the other. */
  bytes: ArrayBuffer;
  lengths: number[];
  /** A BigInt64 that is set to the time the work begins, in milliseconds since 1970: waiting for a thread is not work. */
  startedAt: SharedArrayBuffer;
}

/** What the archive keeps of a message: the parsed message without its text, and what makes it findable. */
export interface ArchiveParse extends Omit<ParsedMessage, 'text' | 'recipients'> {
  /** Input for `$1::tsvector`. */
  searchVector: string;
  text?: string;
}

/** Worker-thread entry: parses messages for the archive. Never throws; see `parseMessage`. */
export function parseManyForArchive({ bytes, lengths, startedAt }: ParseManyTask): ArchiveParse[] {
  Atomics.store(new BigInt64Array(startedAt), 0, BigInt(Date.now()));
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return parseForArchive({ raw: new Uint8Array(bytes, end - length, length) });
  });
}

/** Parses one message for the archive. Never throws; see `parseMessage`. */
export function parseForArchive({ raw, withText = false }: ParseTask): ArchiveParse {
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
