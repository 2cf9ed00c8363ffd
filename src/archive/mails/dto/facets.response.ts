import { ApiProperty } from '@nestjs/swagger';
import { MAX_LABELS, MAX_MONTHS, MAX_SENDERS } from '../facets/archive-facets';

/** Mails with a label. */
export class LabelFacetResponse {
  /** Label id, as the `label` filter takes it.
   * @example "Label_7" */
  id: string;

  /** Latest known name of the label, also after the mailbox was disconnected or the label deleted; else the id.
   * @example "Bills" */
  name: string;

  @ApiProperty({ type: 'integer', example: 410 })
  count: number;
}

/** Mails of a sender. */
export class SenderFacetResponse {
  /** Address in lower case, as the `sender` filter takes it; the whole From header when it has no address.
   * @example "alice@example.com" */
  address: string;

  /** From line of the sender's newest mail.
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
  /** Month in UTC.
   * @example "2024-02" */
  month: string;

  @ApiProperty({ type: 'integer', example: 41 })
  count: number;
}

/** Counts of the mails of a list by label, sender and month. */
export class ArchiveFacetsResponse {
  /** Exact number of mails that match the filters. */
  @ApiProperty({ type: 'integer', example: 1310 })
  total: number;

  /** Bytes of these mails. */
  @ApiProperty({ type: 'integer', example: 96_000_000 })
  total_size: number;

  @ApiProperty({ type: 'integer', example: 200 })
  with_attachments: number;

  @ApiProperty({ type: 'integer', example: 12 })
  encrypted: number;

  /** Labels, the most frequent first. */
  @ApiProperty({ type: [LabelFacetResponse], maxItems: MAX_LABELS })
  labels: LabelFacetResponse[];

  /** Senders, those with the most mails first. */
  @ApiProperty({ type: [SenderFacetResponse], maxItems: MAX_SENDERS })
  senders: SenderFacetResponse[];

  /** Months, the latest first; months without mail are left out. */
  @ApiProperty({ type: [MonthFacetResponse], maxItems: MAX_MONTHS })
  months: MonthFacetResponse[];
}
