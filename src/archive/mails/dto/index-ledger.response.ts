import { ApiProperty } from '@nestjs/swagger';
import { INDEX_CLASSES, INDEXED_KINDS, type IndexClass, type IndexedKind } from '../index-ledger/index-class';
import type { IndexItem } from '../index-ledger/index-ledger.repository';
import type { IndexLedger, KindCounts } from '../index-ledger/index-ledger.service';
import type { IndexItemsQuery } from './index-ledger.dto';

/** The number of mails or attachments that are not read as a whole for one reason. */
export class IndexReasonResponse {
  @ApiProperty({ enum: INDEX_CLASSES, example: 'failed' })
  class: IndexClass;

  /** The reason: of mails `missing`, `altered` (the file is not the one that was archived), `unparsed`, `refused` (by the database)
   * or `text-limit`; of attachments also `damaged`, `crashed`, `size-limit`, `pictures` (their text is
   * not recognized) and others.
   * @example damaged */
  reason: string;

  @ApiProperty({ type: 'integer', example: 3 })
  count: number;
}

/** Numbers of mails or attachments by class. The six add up to the total. */
export class IndexCountsResponse {
  @ApiProperty({ type: 'integer', example: 1204 })
  total: number;

  /** Found by their words. */
  @ApiProperty({ type: 'integer', example: 1180 })
  indexed: number;

  /** Without any text, such as photos. */
  @ApiProperty({ type: 'integer', example: 12 })
  nothing: number;

  /** Encrypted in the archive, or protected by a password: their text is not read. */
  @ApiProperty({ type: 'integer', example: 6 })
  encrypted: number;

  /** Over a limit. What was read up to the limit is found. */
  @ApiProperty({ type: 'integer', example: 1 })
  too_large: number;

  /** They could not be read, or not as a whole. */
  @ApiProperty({ type: 'integer', example: 3 })
  failed: number;

  /** Still to be read in the background. */
  @ApiProperty({ type: 'integer', example: 2 })
  waiting: number;

  /** Why some could not be read as a whole, or not yet: of the failed and the too large ones, and of those with pictures in them whose
   * text is not recognized. */
  reasons: IndexReasonResponse[];
}

/** The latest check of the index: files of some mails were read, and their words were searched for. */
export class IndexCheckResponse {
  @ApiProperty({ format: 'date-time', example: '2024-03-01T02:00:10.000Z' })
  started_at: string;

  /** Null: it is not at its end. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2024-03-01T02:00:25.000Z' })
  ended_at: string | null;

  /** Mails that were checked, taken at random. */
  @ApiProperty({ type: 'integer', example: 50 })
  mails: number;

  /** Attachments of them that were read again and searched for. */
  @ApiProperty({ type: 'integer', example: 12 })
  attachments: number;

  /** Mails that the index did not have as their files are, or had too much of. They are put right. */
  @ApiProperty({ type: 'integer', example: 0 })
  mismatches: number;

  /** Mails whose files could not be read. */
  @ApiProperty({ type: 'integer', example: 0 })
  unreadable: number;
}

export class IndexLedgerResponse {
  /** Mails, by header and text. */
  mails: IndexCountsResponse;

  /** Attachments, images within the text among them. */
  attachments: IndexCountsResponse;

  /** The latest check of the index. Null: there was none. */
  @ApiProperty({ type: IndexCheckResponse, nullable: true })
  check: IndexCheckResponse | null;
}

/** A mail or an attachment of the index. */
export class IndexItemResponse {
  @ApiProperty({ enum: INDEXED_KINDS, example: 'attachment' })
  kind: IndexedKind;

  @ApiProperty({ enum: INDEX_CLASSES, example: 'failed' })
  class: IndexClass;

  /** Why it could not be read, or not as a whole. Null: for no reason, or not known. */
  @ApiProperty({ type: String, nullable: true, example: 'damaged' })
  reason: string | null;

  /** The mail, or the mail that it is attached to. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  mail_id: string;

  /** Null: a mail. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e',
  })
  attachment_id: string | null;

  /** Subject of the mail.
   * @example "Annual report" */
  subject: string;

  /** From line of the mail.
   * @example "Alice Example <alice@example.com>" */
  sender: string;

  /** Date of the mail. */
  @ApiProperty({ format: 'date-time', example: '2024-02-29T12:34:56.000Z' })
  date: string;

  /** Name of the attachment. Null: a mail. */
  @ApiProperty({ type: String, nullable: true, example: 'report.pdf' })
  filename: string | null;

  /** Bytes of the mail, or of the decoded attachment. */
  @ApiProperty({ type: 'integer', example: 48213 })
  size_bytes: number;
}

export class IndexItemPageResponse {
  items: IndexItemResponse[];

  /** The number of all that are in the class for the reason asked for. */
  @ApiProperty({ type: 'integer', example: 3 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The limit used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;
}

export class IndexRetryResponse {
  /** Mails and attachments that are read again in the background. */
  @ApiProperty({ type: 'integer', example: 3 })
  retried: number;
}

export const toIndexLedgerResponse = ({ counts, check }: IndexLedger): IndexLedgerResponse => ({
  mails: toIndexCountsResponse(counts.mail),
  attachments: toIndexCountsResponse(counts.attachment),
  check: check && {
    started_at: check.startedAt.toISOString(),
    ended_at: check.endedAt?.toISOString() ?? null,
    mails: check.mails,
    attachments: check.attachments,
    mismatches: check.mismatches,
    unreadable: check.unreadable,
  },
});

const toIndexCountsResponse = ({ total, byClass, reasons }: KindCounts): IndexCountsResponse => ({
  total,
  indexed: byClass.indexed,
  nothing: byClass.nothing,
  encrypted: byClass.encrypted,
  too_large: byClass['too-large'],
  failed: byClass.failed,
  waiting: byClass.waiting,
  reasons: reasons.map(({ class: indexClass, reason, count }) => ({
    class: indexClass,
    reason: reason!,
    count,
  })),
});

export function toIndexItemPageResponse(
  { items, total }: { readonly items: readonly IndexItem[]; readonly total: number },
  { kind, class: indexClass, page, limit }: IndexItemsQuery,
): IndexItemPageResponse {
  return {
    items: items.map((item) => ({
      kind,
      class: indexClass,
      reason: item.reason,
      mail_id: item.mail_id,
      attachment_id: item.attachment_id,
      subject: item.subject,
      sender: item.sender,
      date: item.date,
      filename: item.filename,
      size_bytes: item.size_bytes,
    })),
    total,
    page,
    limit,
  };
}
