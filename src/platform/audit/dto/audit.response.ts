import { ApiProperty } from '@nestjs/swagger';
import type { AuditActorKind, AuditEntryEntity } from '../audit-entry.entity';
import type { ListedEntry } from '../audit-log.repository';
import type { AuditPage } from '../audit-log.service';
import { AUDIT_OUTCOMES } from './audit.dto';

const ACTOR_KINDS = ['user', 'api-key', 'operator', 'service', 'anonymous'] as const;
const ACTOR_KINDS_SHOWN = [...ACTOR_KINDS, 'administrator'] as const;

/** An act of the caller, or about the caller. */
export class AuditEntryResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  occurred_at: string;

  /** `<subject>.<verb in the past>`; later versions may add actions.
   * @example session.opened */
  action: string;

  /** `failure`: the act was refused or failed. */
  @ApiProperty({ enum: AUDIT_OUTCOMES, enumName: 'AuditOutcome', example: 'success' })
  outcome: (typeof AUDIT_OUTCOMES)[number];

  /**
   * `user`: the user or one of their jobs; `api-key`: a program with their key; `administrator`: another user with that
   * role; `operator`: the command line; `service`: the service itself; `anonymous`: unknown, for example before sign-in.
   */
  @ApiProperty({ enum: ACTOR_KINDS_SHOWN, enumName: 'AuditActorKind', example: 'user' })
  actor_kind: AuditActorKind | 'administrator';

  /** The acting user; null when unknown, and for administrators, whose ids other users do not see. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e',
  })
  actor_id: string | null;

  /** The API key of the request. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: null })
  api_key_id: string | null;

  /** The user whose data the act concerns. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e',
  })
  user_id: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: null })
  mailbox_account_id: string | null;

  /** Kind of the object, unless that is the user or the account.
   * @example session */
  target_type: string | null;

  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f */
  target_id: string | null;

  /** IP address of the client; null without one, and for administrators.
   * @example 203.0.113.7 */
  address: string | null;

  /** The response's `X-Request-Id`.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b50 */
  request_id: string | null;

  /** The job that was started or that acted.
   * @example bulk_operation-42 */
  job_id: string | null;

  /** Counts, codes and names of settings, depending on the action; never content. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { method: 'password' } })
  details: Readonly<Record<string, unknown>>;
}

/** An act, as administrators see it. */
export class AdminAuditEntryResponse extends AuditEntryResponse {
  /** Position in the log, from 1, without gaps.
   * @example 4711 */
  @ApiProperty({ type: 'integer' })
  sequence: number;

  /** Hexadecimal hash that binds the entry to all before it; `npm run cli -- audit:verify` checks it.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
  hash: string;

  /** Null when the user is unknown or deleted.
   * @example ada@example.org */
  actor_email: string | null;

  /** Null when the user is unknown or deleted.
   * @example ada@example.org */
  user_email: string | null;
}

class AuditPageFields {
  /** Matching entries on all pages. */
  @ApiProperty({ type: 'integer', example: 120 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The page size used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;
}

export class AuditPageResponse extends AuditPageFields {
  /** Newest first. */
  entries: AuditEntryResponse[];
}

export class AdminAuditPageResponse extends AuditPageFields {
  /** Newest first. */
  entries: AdminAuditEntryResponse[];
}

/** @param viewerId the caller, who does not see the ids of administrators */
export function toAuditPageResponse(viewerId: string, page: AuditPage<AuditEntryEntity>): AuditPageResponse {
  return { ...page, entries: page.entries.map((entry) => toOwnEntry(viewerId, entry)) };
}

export function toAdminAuditPageResponse(page: AuditPage<ListedEntry>): AdminAuditPageResponse {
  return { ...page, entries: page.entries.map(toAdminEntry) };
}

export function toAdminEntry(entry: ListedEntry): AdminAuditEntryResponse {
  return {
    sequence: entry.sequence,
    hash: entry.hash.toString('hex'),
    ...toEntry(entry),
    actor_email: entry.actorEmail,
    user_email: entry.userEmail,
  };
}

/** @param viewerId the caller, who does not see the ids of administrators */
export function toOwnEntry(viewerId: string, entry: AuditEntryEntity): AuditEntryResponse {
  const shown = toEntry(entry);
  if (entry.actorId === null || entry.actorId === viewerId) return shown;
  const hidden = { actor_id: null, api_key_id: null, address: null, request_id: null, job_id: null };
  return { ...shown, ...hidden, actor_kind: 'administrator' };
}

function toEntry(entry: AuditEntryEntity): AuditEntryResponse {
  return {
    id: entry.id,
    occurred_at: entry.occurredAt.toISOString(),
    action: entry.action,
    outcome: entry.outcome,
    actor_kind: entry.actorKind,
    actor_id: entry.actorId,
    api_key_id: entry.apiKeyId,
    user_id: entry.userId,
    mailbox_account_id: entry.accountId,
    target_type: entry.targetType,
    target_id: entry.targetId,
    address: entry.address,
    request_id: entry.requestId,
    job_id: entry.jobId,
    details: entry.details,
  };
}
