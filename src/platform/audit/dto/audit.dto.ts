import { ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { PageQuery } from '../../validation/page.dto';
import { AUDIT_GROUPS, type AuditGroup } from '../audit-groups';

export const AUDIT_OUTCOMES = ['success', 'failure'] as const;

/** Filter of a user's audit log. */
export class ExportAuditQuery {
  /** An action, or the beginning of actions when it ends with a dot. */
  @ApiPropertyOptional({ example: 'session.' })
  @IsOptional()
  @MaxLength(64)
  @Matches(/^[a-z0-9-]+\.([a-z0-9-]+)?$/, {
    message: 'action must be an action such as session.opened, or the beginning of some such as session.',
  })
  action?: string;

  /** Only actions of this group. `deletions` includes moves to the trash. */
  @ApiPropertyOptional({ enum: AUDIT_GROUPS, enumName: 'AuditGroup', example: 'deletions' })
  @IsOptional()
  @IsIn(AUDIT_GROUPS)
  group?: AuditGroup;

  /** Only successful acts, or only refused and failed ones. */
  @ApiPropertyOptional({ enum: AUDIT_OUTCOMES, enumName: 'AuditOutcome', example: 'failure' })
  @IsOptional()
  @IsIn(AUDIT_OUTCOMES)
  outcome?: (typeof AUDIT_OUTCOMES)[number];

  /** ISO 8601, inclusive; a date without time means the start of that day in UTC. */
  @ApiPropertyOptional({ example: '2026-05-01' })
  @IsOptional()
  @IsString()
  from?: string;

  /** ISO 8601, inclusive; a date without time means the end of that day in UTC. */
  @ApiPropertyOptional({ example: '2026-05-31' })
  @IsOptional()
  @IsString()
  to?: string;

  /** Only entries about this mailbox account, which may be deleted. */
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  @IsOptional()
  @IsUUID()
  accountId?: string;
}

/** Page and filter of a user's audit log. */
export class ListAuditQuery extends IntersectionType(PageQuery, ExportAuditQuery) {}

/** Filter of the installation's audit log. */
export class ExportAllAuditQuery extends ExportAuditQuery {
  /** Only entries about this user, who may be deleted. */
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  @IsOptional()
  @IsUUID()
  userId?: string;

  /** Only acts of this user or their API keys. */
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  @IsOptional()
  @IsUUID()
  actorId?: string;
}

/** Page and filter of the installation's audit log. */
export class ListAllAuditQuery extends IntersectionType(PageQuery, ExportAllAuditQuery) {}
