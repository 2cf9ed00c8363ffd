import { deterministicId } from '../../files/storage-key';
import type { ArchiveParse } from '../archiving/parse-message.task';
import { attachmentSearchText } from '../search/attachment-search';
import { nullableText, storableText } from './mail-to-archive';

/** An attachment of a mail as it goes into the table. */
export type AttachmentRow = ArchiveParse['attachments'][number] & {
  readonly id: string;
  readonly mailId: string;
  readonly searchText: string;
};

/** The `part_id` of an attachment; the column has 255 characters. */
export const storedPartId = (partId: string): string => partId.slice(0, 255);

/** @param date the mail's present date */
export const attachmentRowsOf = (mailId: string, date: Date, parsed: ArchiveParse): AttachmentRow[] =>
  parsed.attachments.map((part) => ({
    ...part,
    mailId,
    // The id is derived from the mail and the part: a link to an attachment outlives a repeated archiving.
    id: deterministicId(date, mailId, part.partId),
    searchText: attachmentSearchText(part.filename, parsed),
  }));

export const INSERT_ATTACHMENTS = `INSERT INTO archived_attachments AS known (
         account_id, id, mail_id, part_id, filename, mime_type, size_bytes, body_start, body_end, encoding, content_id,
         is_inline, is_contained, search_text)
       SELECT $1::uuid, t.* FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[],
         $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::boolean[], $13::boolean[], $14::text[]) AS t`;

/** Parameters of `INSERT_ATTACHMENTS`. */
export const attachmentColumns = (accountId: string, parts: readonly AttachmentRow[]): unknown[] => [
  accountId,
  parts.map(({ id }) => id),
  parts.map(({ mailId }) => mailId),
  parts.map(({ partId }) => storedPartId(partId)),
  parts.map(({ filename }) => storableText(filename)),
  parts.map(({ mimeType }) => storableText(mimeType).slice(0, 255)),
  parts.map(({ sizeBytes }) => sizeBytes),
  parts.map(({ bodyStart }) => bodyStart),
  parts.map(({ bodyEnd }) => bodyEnd),
  parts.map(({ encoding }) => storableText(encoding).slice(0, 32)),
  parts.map(({ contentId }) => nullableText(contentId)),
  parts.map(({ isInline }) => isInline),
  parts.map(({ isContained }) => isContained),
  parts.map(({ searchText }) => storableText(searchText)),
];
