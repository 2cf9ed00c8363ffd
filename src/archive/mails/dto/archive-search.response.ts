import { ApiProperty } from '@nestjs/swagger';
import type { FoundInArchives } from '../search/archive-search.service';
import { NotIndexedInArchivesResponse, toNotIndexedInArchivesResponse } from './not-indexed.response';
import { ListedMailResponse, toListedMailResponse } from './archive.response';

/** An archived mail of any of the caller's mailboxes. */
export class FoundMailResponse extends ListedMailResponse {
  /** The mailbox whose archive it is in. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  mailbox_account_id: string;
}

export class ArchiveSearchResponse {
  /** Mails, newest first or as sorted. */
  mails: FoundMailResponse[];

  /** Exact number of mails that match the filters, in all archives. */
  @ApiProperty({ type: 'integer', example: 1234 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The limit used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;

  /** For further pages of the same list: the `archived_until` of the request, or when the latest mail was archived; null when
   * there is none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2024-03-01T08:00:00.000Z' })
  archived_until: string | null;

  /** Mails of the archives that a search may miss. Null without `q`. */
  @ApiProperty({ type: NotIndexedInArchivesResponse, nullable: true })
  not_indexed: NotIndexedInArchivesResponse | null;
}

export function toArchiveSearchResponse(
  { mails, total, archivedUntil, gaps }: FoundInArchives,
  { page, limit }: { readonly page: number; readonly limit: number },
): ArchiveSearchResponse {
  return {
    mails: mails.map(({ accountId, mail }) => ({
      ...toListedMailResponse(mail),
      mailbox_account_id: accountId,
    })),
    total,
    page,
    limit,
    archived_until: archivedUntil,
    not_indexed: gaps && toNotIndexedInArchivesResponse(gaps),
  };
}
