import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { PageQuery } from '../../common/validation/page.dto';

export const AUDIT_OUTCOMES = ['success', 'failure'] as const;

/** Which entries of the audit log to list. */
export class ListAuditQuery extends PageQuery {
  /** An action, or with a dot at its end all actions that begin so. */
  @ApiPropertyOptional({ example: 'session.' })
  @IsOptional()
  @MaxLength(64)
  @Matches(/^[a-z0-9-]+\.([a-z0-9-]+)?$/, {
    message: 'action must be an action such as session.opened, or the beginning of some such as session.',
  })
  action?: string;

  /** Only what was done, or only what was refused or failed. */
  @ApiPropertyOptional({ enum: AUDIT_OUTCOMES, enumName: 'AuditOutcome', example: 'failure' })
  @IsOptional()
  @IsIn(AUDIT_OUTCOMES)
  outcome?: (typeof AUDIT_OUTCOMES)[number];

  /** ISO 8601, inclusive; a date without time begins with its day in UTC. */
  @ApiPropertyOptional({ example: '2026-05-01' })
  @IsOptional()
  @IsString()
  from?: string;

  /** ISO 8601, inclusive; a date without time ends with its day in UTC. */
  @ApiPropertyOptional({ example: '2026-05-31' })
  @IsOptional()
  @IsString()
  to?: string;
}

/** Which entries of everybody's to list. */
export class ListAllAuditQuery extends ListAuditQuery {
  /** Only what concerns this user, who may be gone. */
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  @IsOptional()
  @IsUUID()
  userId?: string;

  /** Only what this user did, or a key of theirs. */
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  @IsOptional()
  @IsUUID()
  actorId?: string;

  /** Only what concerns this mailbox account, which may be gone. */
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  @IsOptional()
  @IsUUID()
  accountId?: string;
}
