import { ApiProperty } from '@nestjs/swagger';
import { type ArchiveIntegrity, MAX_LISTED_FINDINGS } from '../archive-integrity.service';

/** A check of all archives that has been started. */
export class IntegrityCheckResponse {
  /** Follow it at `/api/jobs/{jobId}`; its result is the report.
   * @example check_integrity-42 */
  jobId: string;
}

/** Kinds of damage to the file of a mail. */
const DAMAGE_KINDS = ['missing', 'altered', 'differs'] as const;

/** An archived mail that failed a check. */
export class DamagedMailResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  mailId: string;

  /** `missing`: there is no file; `altered`: its bytes are not those that were archived; `differs`: they are, and the mailbox
   * holds other ones. */
  @ApiProperty({ enum: DAMAGE_KINDS, enumName: 'DamageKind', example: 'altered' })
  kind: (typeof DAMAGE_KINDS)[number];

  /** @example "Annual report" */
  subject: string;

  @ApiProperty({ format: 'date-time', example: '2026-03-01T08:00:00.000Z' })
  foundAt: string;
}

/** Results of the integrity checks of an archive. */
export class ArchiveIntegrityResponse {
  /** Archived mails. */
  @ApiProperty({ type: 'integer', example: 48211 })
  total: number;

  /** Archived mails whose files were hashed within the last seven days. */
  @ApiProperty({ type: 'integer', example: 48211 })
  checkedThisWeek: number;

  /** null before the first check. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-03-01T02:10:00.000Z' })
  lastCheckedAt: string | null;

  /** Number of mails that failed a check and have not passed one since. */
  @ApiProperty({ type: 'integer', example: 1 })
  damagedCount: number;

  /** Mails that failed a check, the latest first; at most 100. */
  @ApiProperty({ type: [DamagedMailResponse], maxItems: MAX_LISTED_FINDINGS })
  damaged: DamagedMailResponse[];
}

export function toArchiveIntegrityResponse(integrity: ArchiveIntegrity): ArchiveIntegrityResponse {
  const { damaged, ...figures } = integrity;
  return {
    ...figures,
    damaged: damaged.map(({ mailId, problem, subject, foundAt }) => ({
      mailId,
      kind: problem,
      subject,
      foundAt,
    })),
  };
}
