import { ApiProperty } from '@nestjs/swagger';
import type { CutFolder } from '../../../providers/imap/forecast/imap-transfers.service';
import { type DailyBytes, SHARE_OF_JOBS } from '../../../providers/imap/forecast/transfer-forecast';

/** A folder that shows as many messages as its provider shows at most: older ones may be hidden. */
export class CutFolderResponse {
  /** @example INBOX */
  path: string;
  /** Messages that the folder shows.
   * @example 10000 */
  @ApiProperty({ type: 'integer' })
  messages: number;
}

/** Messages to read from a mailbox, and what the provider's limits make of it. */
export class TransferForecastResponse {
  /** Name of the provider; null when it is not known, or the mailbox is not connected by IMAP.
   * @example Gmail */
  @ApiProperty({ type: String, nullable: true })
  provider: string | null;
  /** Messages to read; null: not known. */
  @ApiProperty({ type: 'integer', nullable: true, example: 412000 })
  messages: number | null;
  /** Bytes of these messages; null: not known. */
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: 38000000000 })
  bytes: number | null;
  /** Whether these are estimates: not all messages, or their sizes, are known yet.
   * @example true */
  approximate: boolean;
  /** Bytes that the provider lets a mailbox read in 24 hours; null: no limit is known. */
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: 2500000000 })
  bytesPerDay: number | null;
  /**
   * The part of it that jobs use. The rest is left to people and other programs. An import from a server that is not connected
   * reads until the server says that the limit is reached.
   */
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: 2000000000 })
  jobBytesPerDay: number | null;
  /**
   * The day (UTC) on which the last message will have been read, at the earliest; null: within a day, or no limit is
   * known.
   */
  @ApiProperty({ type: String, format: 'date', nullable: true, example: '2026-12-17' })
  completesOn: string | null;
  /** Folders that may have older messages that the provider does not show to mail programs.
   * @example [] */
  @ApiProperty({ type: () => [CutFolderResponse] })
  cutFolders: CutFolderResponse[];
}

/** Nothing is known. */
export const NO_FORECAST: TransferForecastResponse = {
  provider: null,
  messages: null,
  bytes: null,
  approximate: false,
  bytesPerDay: null,
  jobBytesPerDay: null,
  completesOn: null,
  cutFolders: [],
};

export const dayOf = (at: Date | null): string | null => at && at.toISOString().slice(0, 10);

/** @param share part of a day's limit that jobs use */
export const toTransferForecast = (
  forecast: {
    readonly provider: string | null;
    readonly messages: number | null;
    readonly bytes: number | null;
    readonly isApproximate: boolean;
    readonly received: DailyBytes | null;
    readonly completesAt: Date | null;
    readonly cutFolders: readonly CutFolder[];
  },
  share = SHARE_OF_JOBS,
): TransferForecastResponse => ({
  provider: forecast.provider,
  messages: forecast.messages,
  bytes: forecast.bytes,
  approximate: forecast.isApproximate,
  bytesPerDay: forecast.received?.limit ?? null,
  jobBytesPerDay: forecast.received && Math.floor(forecast.received.limit * share),
  completesOn: dayOf(forecast.completesAt),
  cutFolders: forecast.cutFolders.map(({ path, messages }) => ({ path, messages })),
});
