import { ApiProperty } from '@nestjs/swagger';
import type { RetentionWarning } from '../policy-runner';
import type { RetentionPolicyEntity } from '../retention-policy.entity';
import type { RetentionOutcome, RetentionPreview } from '../retention-runs.service';

/** A policy that deletes archived mail after a time. */
export class RetentionPolicyResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** Id of the owner. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c' })
  user_id: string;

  /** The account it applies to; null: all accounts of the owner. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e',
  })
  mailbox_account_id: string | null;

  /** The name of the policy. */
  @ApiProperty({ example: 'Old promotions' })
  name: string;

  /** Id or name of the label it applies to; null: any mail. */
  @ApiProperty({ type: String, nullable: true, example: 'CATEGORY_PROMOTIONS' })
  label: string | null;

  /** Days of 24 hours that mail is kept after the later of its date and its arrival. */
  @ApiProperty({ type: 'integer', example: 365 })
  max_age_days: number;

  /** Whether the policy is active; an inactive one deletes nothing.
   * @example true */
  is_active: boolean;

  /** Whether it deletes copies of messages that were offloaded from the mailbox.
   * @example false */
  include_offloaded: boolean;

  /** The start of its last run. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2025-11-21T02:11:00.000Z' })
  last_run_at: string | null;

  /** Mails it has deleted so far. */
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
    include_offloaded: policy.includeOffloaded,
    last_run_at: policy.lastRunAt?.toISOString() ?? null,
    deleted_count: policy.deletedCount,
    created_at: policy.createdAt.toISOString(),
    updated_at: policy.updatedAt.toISOString(),
  };
}

/** Warning that a policy may have missed mail. */
export class RetentionWarningResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  policyId: string;

  /** The account whose mailbox could not be asked for its labels. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e' })
  accountId: string;

  /** The reason, e.g. `mailbox-disconnected` or `provider-unavailable`.
   * @example mailbox-disconnected */
  code: string;

  /** Description for people.
   * @example "The mailbox could not be asked which label is named \"Work\"." */
  message: string;
}

/** The result of a run. */
export class RetentionRunResponse {
  /** Number of active policies that were run. */
  @ApiProperty({ type: 'integer', example: 2 })
  policiesRun: number;

  /** Mails this run has deleted; a mail that two policies match counts once. */
  @ApiProperty({ type: 'integer', example: 1200 })
  totalDeleted: number;

  /** Mailboxes that could not be asked for their labels; their mail stays until they can. */
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

/** The mails a run of the policy would delete now. */
export class RetentionPreviewResponse {
  /** Number of mails. */
  @ApiProperty({ type: 'integer', example: 1200 })
  count: number;

  /** Size of their EML files. */
  @ApiProperty({ type: 'integer', format: 'int64', example: 48_000_000 })
  bytes: number;

  /** Date of the oldest mail; null when there is none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2015-03-01T08:00:00.000Z' })
  oldest: string | null;

  /** Date of the newest mail; null when there is none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2024-11-20T17:45:00.000Z' })
  newest: string | null;

  /** Mailboxes that could not be asked for their labels: a run may keep some of their mail. */
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
