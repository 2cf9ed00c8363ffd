import { ApiProperty } from '@nestjs/swagger';
import type { PreparedExport } from '../prepared/prepared-exports.service';

/** An export that can be downloaded. */
export class PreparedExportResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** Path on this server from which the file is downloaded, with a session or a token.
   * @example "/api/archive/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c/exports/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d" */
  url: string;

  /** @example "archive-export-2024-02-29.zip" */
  filename: string;

  /** Number of mails in the export. */
  @ApiProperty({ type: 'integer', example: 1310 })
  mails: number;

  /** Sum of the sizes of the mails in bytes; the file is a little larger, or smaller if it is compressed. */
  @ApiProperty({ type: 'integer', example: 91_226_112 })
  bytes: number;

  @ApiProperty({ format: 'date-time', example: '2024-02-29T12:44:56.000Z' })
  expires_at: string;
}

export const toPreparedExportResponse = (prepared: PreparedExport): PreparedExportResponse => ({
  id: prepared.id,
  url: `/api/archive/${prepared.accountId}/exports/${prepared.id}`,
  filename: prepared.filename,
  mails: prepared.mails,
  bytes: prepared.bytes,
  expires_at: prepared.expiresAt.toISOString(),
});
