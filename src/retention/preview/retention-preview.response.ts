import { ApiProperty } from '@nestjs/swagger';
import { RetentionWarningResponse, toRetentionWarningResponse } from '../run/retention-run.response';
import type { RetentionPreview } from './retention-previews.service';

/** What a run of a policy would remove right now. */
export class RetentionPreviewResponse {
  /** Mails. */
  @ApiProperty({ type: 'integer', example: 1200 })
  count: number;

  /** Of their EML files. */
  @ApiProperty({ type: 'integer', format: 'int64', example: 48_000_000 })
  bytes: number;

  /** Date of the oldest of them; null when there are none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2015-03-01T08:00:00.000Z' })
  oldest: string | null;

  /** Date of the newest of them; null when there are none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2024-11-20T17:45:00.000Z' })
  newest: string | null;

  /** Mailboxes that could not be asked for their labels: a run may leave mail of theirs where it is. */
  @ApiProperty({ type: [RetentionWarningResponse] })
  warnings: RetentionWarningResponse[];
}

export const toRetentionPreviewResponse = ({
  count,
  bytes,
  oldest,
  newest,
  warnings,
}: RetentionPreview): RetentionPreviewResponse => ({
  count,
  bytes,
  oldest: oldest?.toISOString() ?? null,
  newest: newest?.toISOString() ?? null,
  warnings: warnings.map(toRetentionWarningResponse),
});
