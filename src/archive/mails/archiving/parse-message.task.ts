import { mapJoined, type JoinedBuffers } from '../../../platform/workers/joined-buffers';
import { type IndexedWords, indexWords } from '../search/search-vector';
import { parseMessage, type ParsedMessage } from '../../../platform/mime/parse-message';

export interface ParseTask {
  /** The raw message; a view of a larger buffer is fine. */
  raw: Uint8Array | ArrayBuffer;
  /** Also return the visible text, at most 4 MiB, which the archive does not store. */
  withText?: boolean;
}

/** The parts of a parsed message that the archive keeps, and its search vector. */
export interface ArchiveParse extends Omit<ParsedMessage, 'text' | 'attachedText' | 'recipients'> {
  words: IndexedWords;
  text?: string;
}

const WORDS_LEFT_OUT = 'only the first part of the text is searched, as its words are repeated too often';

/** Worker-thread entry: parses messages for the archive. Never throws; see `parseMessage`. */
export function parseManyForArchive(messages: JoinedBuffers): ArchiveParse[] {
  return mapJoined(messages, (raw) => parseForArchive({ raw }));
}

/** Parses one message for the archive. Never throws; see `parseMessage`. */
export function parseForArchive({ raw, withText = false }: ParseTask): ArchiveParse {
  const bytes =
    raw instanceof ArrayBuffer ? Buffer.from(raw) : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { text, attachedText, recipients, ...parsed } = parseMessage(bytes);
  const words = indexWords({
    subject: parsed.subject,
    sender: parsed.sender,
    recipients: recipients.join(' '),
    attachmentNames: parsed.attachments.map((attachment) => attachment.filename),
    text,
    attachedText,
  });
  const defects = words.isCut ? [...parsed.defects, WORDS_LEFT_OUT] : parsed.defects;
  return { ...parsed, defects, words, ...(withText ? { text } : {}) };
}
