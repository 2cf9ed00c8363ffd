import { ApiProperty } from '@nestjs/swagger';
import type { RetentionWarning } from '../policy-runner';
import type { RetentionPolicyEntity } from '../retention-policy.entity';
import type { RetentionOutcome, RetentionPreview } from '../retention-runs.service';

/** How long archived mail is kept. */
export class RetentionPolicyResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** Its owner. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c' })
  user_id: string;

  /** The account it concerns; null: all of the owner's. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e',
  })
  mailbox_account_id: string | null;

  /** What the policy is called. */
  @ApiProperty({ example: 'Old promotions' })
  name: string;

  /** Id or name of the label it concerns; null: any mail. */
  @ApiProperty({ type: String, nullable: true, example: 'CATEGORY_PROMOTIONS' })
  label: string | null;

  /** Days, of 24 hours, that mail is kept after its own date. */
  @ApiProperty({ type: 'integer', example: 365 })
  max_age_days: number;

  /** An inactive policy removes nothing.
   * @example true */
  is_active: boolean;

  /** When its last run began. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2025-11-21T02:11:00.000Z' })
  last_run_at: string | null;

  /** Mails it has removed so far. */
  @ApiProperty({ type: 'integer', example: 1200 })
  deleted_count: number;

  @ApiProperty({ format: 'date-time', example: '2025-11-20T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2025-11-20T09:30:00.000Z' })
  updated_at: string;
}

export function toRetentionPolicyResponse(policy: RetentionPolicyEntity): RetentionPolicyResponse {
  return {
    id: policy.id,
    user_id: policy.userId,
    mailbox_account_id: policy.mailboxAccountId,
    name: policy.name,
    label: policy.label,
    max_age_days: policy.maxAgeDays,
    is_active: policy.isActive,
    last_run_at: policy.lastRunAt?.toISOString() ?? null,
    deleted_count: policy.deletedCount,
    created_at: policy.createdAt.toISOString(),
    updated_at: policy.updatedAt.toISOString(),
  };
}

/** Mail a policy may have missed. */
export class RetentionWarningResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  policyId: string;

  /** The account whose mailbox could not be asked for its labels. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  accountId: string;

  /** Why, e.g. `mailbox-disconnected` or `provider-unavailable`.
   * @example mailbox-disconnected */
  code: string;

  /** For people.
   * @example "The mailbox could not be asked which label is named \"Work\"." */
  message: string;
}

/** What a run has come to. */
export class RetentionRunResponse {
  /** Policies that were active. */
  @ApiProperty({ type: 'integer', example: 2 })
  policiesRun: number;

  /** Mails this very run has removed; one that two policies concern is counted once. */
  @ApiProperty({ type: 'integer', example: 1200 })
  totalDeleted: number;

  /** Mailboxes that could not be asked for their labels; mail of theirs stays until they can. */
  @ApiProperty({ type: [RetentionWarningResponse] })
  warnings: RetentionWarningResponse[];
}

export const toRetentionWarningResponse = ({
  policyId,
  accountId,
  code,
  message,
}: RetentionWarning): RetentionWarningResponse => ({ policyId, accountId, code, message });

export const toRetentionRunResponse = ({
  policiesRun,
  totalDeleted,
  warnings,
}: RetentionOutcome): RetentionRunResponse => ({
  policiesRun,
  totalDeleted,
  warnings: warnings.map(toRetentionWarningResponse),
});

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
