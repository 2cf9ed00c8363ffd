import { ApiProperty } from '@nestjs/swagger';
import type { RetentionPolicyEntity } from '../retention-policy.entity';

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
