import { eachJoined, type JoinedBuffers } from '../../common/workers/joined-buffers';
import { searchVector } from '../search/search-vector';
import { parseMessage, type ParsedMessage } from '../../mime/parse-message';

export interface ParseTask {
  /** The raw message; a view of a larger buffer is fine. */
  raw: Uint8Array | ArrayBuffer;
  /** Also answer the visible text (256 KiB at most), which the archive itself does not store. */
  withText?: boolean;
}

/** What the archive keeps of a message: the parsed message without its text, and what makes it findable. */
export interface ArchiveParse extends Omit<ParsedMessage, 'text' | 'recipients'> {
  /** Input for `$1::tsvector`. */
  searchVector: string;
  text?: string;
}

/** Worker-thread entry: parses messages for the archive. Never throws; see `parseMessage`. */
export function parseManyForArchive(messages: JoinedBuffers): ArchiveParse[] {
  return eachJoined(messages, (raw) => parseForArchive({ raw }));
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
