import { mapJoined, type JoinedBuffers } from '../../../platform/workers/joined-buffers';
import { type IndexedWords, indexWords, type SearchableField } from '../search/search-vector';
import { type HeaderLines, parseMessage, type ParsedMessage } from '../../../platform/mime/parse-message';

export interface ParseTask {
  /** The raw message; a view of a larger buffer is fine. */
  raw: Uint8Array | ArrayBuffer;
  /** Also return the visible text, at most 4 MiB, which the archive does not store. */
  withText?: boolean;
}

/** The parts of a parsed message that the archive keeps, and its search vector. */
export interface ArchiveParse extends Omit<
  ParsedMessage,
  'text' | 'attachedText' | 'recipients' | 'headerLines'
> {
  words: IndexedWords;
  text?: string;
}

/** The defect of a message with more words than are kept. */
export const WORDS_LEFT_OUT =
  'only the first part of the text is searched, as its words are repeated too often';

/** Worker-thread entry: parses messages for the archive. Never throws; see `parseMessage`. */
export function parseManyForArchive(messages: JoinedBuffers): ArchiveParse[] {
  return mapJoined(messages, (raw) => parseForArchive({ raw }));
}

/** Parses one message for the archive. Never throws; see `parseMessage`. */
export function parseForArchive({ raw, withText = false }: ParseTask): ArchiveParse {
  const bytes =
    raw instanceof ArrayBuffer ? Buffer.from(raw) : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { text, attachedText, recipients, headerLines, ...parsed } = parseMessage(bytes);
  const attachmentNames = parsed.attachments.map((attachment) => attachment.filename);
  const words = indexWords({
    subject: parsed.subject,
    sender: parsed.sender,
    recipients: recipients.join(' '),
    attachmentNames,
    text,
    attachedText,
    fields: fieldsOf(headerLines, attachmentNames),
    hasAllFields: true,
  });
  const defects = words.isCut ? [...parsed.defects, WORDS_LEFT_OUT] : parsed.defects;
  return { ...parsed, defects, words, ...(withText ? { text } : {}) };
}

const fieldsOf = (header: HeaderLines, attachmentNames: readonly string[]): SearchableField[] => [
  { field: 'to', text: header.to },
  { field: 'cc', text: header.cc },
  { field: 'bcc', text: header.bcc },
  { field: 'replyto', text: header.replyTo },
  { field: 'deliveredto', text: header.deliveredTo },
  { field: 'list', text: header.list },
  ...attachmentNames.map((text): SearchableField => ({ field: 'filename', text })),
];
