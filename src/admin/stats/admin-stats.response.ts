import { ApiProperty } from '@nestjs/swagger';

export class AdminJobStatsResponse {
  /** Whatever their status. */
  @ApiProperty({ type: 'integer', example: 4200 })
  total: number;

  @ApiProperty({ type: 'integer', example: 4100 })
  completed: number;

  @ApiProperty({ type: 'integer', example: 12 })
  failed: number;

  /** Being worked on at this moment. */
  @ApiProperty({ type: 'integer', example: 3 })
  active: number;
}

export class AdminArchiveStatsResponse {
  @ApiProperty({ type: 'integer', example: 1250000 })
  totalMails: number;

  /** Bytes of the EML files. */
  @ApiProperty({ type: 'integer', example: 93415268352 })
  totalSizeBytes: number;
}

/** Figures of the whole installation. */
export class AdminStatsResponse {
  /** Inactive ones included. */
  @ApiProperty({ type: 'integer', example: 128 })
  users: number;

  /** Of all users, disconnected ones left out. */
  @ApiProperty({ type: 'integer', example: 240 })
  mailboxAccounts: number;

  jobs: AdminJobStatsResponse;

  /** Mail of disconnected accounts included. */
  archives: AdminArchiveStatsResponse;
}
