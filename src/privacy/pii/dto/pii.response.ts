import { ApiProperty } from '@nestjs/swagger';
import { LISTED_TYPES, type PiiType } from '../detection/pii-match';
import type { ListedFinding } from '../pii-findings.repository';
import type { PiiStats } from '../pii.service';

/** Personal data of one type in one archived mail. */
export class PiiFindingResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  archived_mail_id: string;

  @ApiProperty({ enum: LISTED_TYPES, example: 'credit_card' })
  pii_type: PiiType;

  /** Different values of this type in the mail. */
  @ApiProperty({ type: 'integer', example: 1 })
  count: number;

  /** The first value, masked: a card shows its last four digits, an IBAN its country and check digits.
   * @example "**** **** **** 4242" */
  snippet: string;

  @ApiProperty({ format: 'date-time', example: '2024-03-01T08:00:00.000Z' })
  scanned_at: string;

  /** Subject of the mail.
   * @example "Card for the booking" */
  subject: string;

  /** @example "Alice Example <alice@example.com>" */
  sender: string;

  /** When the provider received the mail. */
  @ApiProperty({ format: 'date-time', example: '2024-02-29T12:34:56.000Z' })
  date: string;
}

export class PiiFindingPageResponse {
  /** Findings, those of the newest mail first. */
  items: PiiFindingResponse[];

  /** Exact number of findings that match. */
  @ApiProperty({ type: 'integer', example: 17 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The limit used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;
}

/** Findings of one type. */
export class PiiTypeCountResponse {
  @ApiProperty({ enum: LISTED_TYPES, example: 'iban' })
  type: PiiType;

  /** Different values, added up over the mails. */
  @ApiProperty({ type: 'integer', example: 12 })
  count: number;
}

export class PiiStatsResponse {
  /** Different values in each mail, added up over all mails. */
  @ApiProperty({ type: 'integer', example: 42 })
  totalFindings: number;

  /** Mails with personal data. */
  @ApiProperty({ type: 'integer', example: 17 })
  affectedMails: number;

  /** Counts of every type; types without findings have 0. */
  byType: PiiTypeCountResponse[];
}

/** A scan that has been started. */
export class PiiScanResponse {
  /** Id of the job; `/api/jobs/{jobId}` tells its progress.
   * @example scan_pii-42 */
  jobId: string;

  /** @example "Scan for personal data started" */
  message: string;
}

export const toPiiFindingResponse = (finding: ListedFinding): PiiFindingResponse => ({
  id: finding.id,
  archived_mail_id: finding.archived_mail_id,
  pii_type: finding.pii_type,
  count: finding.count,
  snippet: finding.snippet,
  scanned_at: finding.scanned_at.toISOString(),
  subject: finding.subject,
  sender: finding.sender,
  date: finding.date.toISOString(),
});

export const toPiiStatsResponse = ({ totalFindings, affectedMails, byType }: PiiStats): PiiStatsResponse => ({
  totalFindings,
  affectedMails,
  byType: byType.map(({ type, count }) => ({ type, count })),
});
