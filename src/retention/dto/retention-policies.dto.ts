import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { MayBeAbsent } from '../../common/http/validation/may-be-absent';
import {
  MAX_AGE_DAYS,
  MAX_LABEL,
  MAX_NAME,
  PolicyAccountId,
  PolicyLabel,
  PolicyMaxAgeDays,
  PolicyName,
} from './retention-policy-fields';

/** What creation and change have in common. */
class RetentionPolicyFields {
  /** What the policy is called. */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'Old promotions' })
  @PolicyName()
  name: string;

  /** The account whose archive it concerns, one of the caller's; null or left out: all of them. */
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  })
  @PolicyAccountId()
  mailboxAccountId?: string | null;

  /**
   * Only mail with this label: its id exactly, or its name in any case. `promotions`, `social`, `updates` and
   * `forums` are the categories unless the mailbox has a label of that name. null or left out: any mail.
   */
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: MAX_LABEL,
    example: 'CATEGORY_PROMOTIONS',
  })
  @PolicyLabel()
  label?: string | null;

  /** Mail whose own date (not that of its archiving) is more than this many times 24 hours ago is removed. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_AGE_DAYS, example: 365 })
  @PolicyMaxAgeDays()
  maxAgeDays: number;

  /** An inactive policy removes nothing. */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @MayBeAbsent()
  @IsBoolean()
  isActive?: boolean;
}

export class CreateRetentionPolicyDto extends RetentionPolicyFields {
  /** An inactive policy removes nothing. */
  @ApiPropertyOptional({ default: true })
  override isActive?: boolean = true;
}

/** Absent fields stay as they are; null clears `mailboxAccountId` and `label`. */
export class UpdateRetentionPolicyDto extends PartialType(RetentionPolicyFields, {
  skipNullProperties: false,
}) {}
