import { ApiProperty } from '@nestjs/swagger';
import { MAX_LABELS, MAX_MONTHS, MAX_SENDERS } from '../facets/archive-facets';

/** Mails with a label. */
export class LabelFacetResponse {
  /** For the `label` filter.
   * @example "Label_7" */
  id: string;

  /** Its latest name that is known, also after the mailbox was disconnected or the label deleted; else the id.
   * @example "Bills" */
  name: string;

  @ApiProperty({ type: 'integer', example: 410 })
  count: number;
}

/** Mails of a sender. */
export class SenderFacetResponse {
  /** Lower-case, for the `sender` filter; the whole From header when it has no address.
   * @example "alice@example.com" */
  address: string;

  /** As in the newest mail.
   * @example "Alice Example <alice@example.com>" */
  sender: string;

  @ApiProperty({ type: 'integer', example: 120 })
  count: number;

  /** Bytes of these mails. */
  @ApiProperty({ type: 'integer', example: 5_400_000 })
  total_size: number;
}

/** Mails of a month. */
export class MonthFacetResponse {
  /** In UTC.
   * @example "2024-02" */
  month: string;

  @ApiProperty({ type: 'integer', example: 41 })
  count: number;
}

/** What the mails of a list have in common. */
export class ArchiveFacetsResponse {
  /** Exact number of mails that match the filters. */
  @ApiProperty({ type: 'integer', example: 1310 })
  total: number;

  /** Their bytes. */
  @ApiProperty({ type: 'integer', example: 96_000_000 })
  total_size: number;

  @ApiProperty({ type: 'integer', example: 200 })
  with_attachments: number;

  @ApiProperty({ type: 'integer', example: 12 })
  encrypted: number;

  /** The most frequent first. */
  @ApiProperty({ type: [LabelFacetResponse], maxItems: MAX_LABELS })
  labels: LabelFacetResponse[];

  /** Those with the most mails first. */
  @ApiProperty({ type: [SenderFacetResponse], maxItems: MAX_SENDERS })
  senders: SenderFacetResponse[];

  /** The latest first; months without mail are left out. */
  @ApiProperty({ type: [MonthFacetResponse], maxItems: MAX_MONTHS })
  months: MonthFacetResponse[];
}
