import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsNotEmpty, IsOptional, IsString, IsUUID, Max, Min } from 'class-validator';
import {
  IsPlainText,
  MaxCharacters,
  MayBeAbsent,
  PlainName,
  Trimmed,
} from '../../../platform/validation/field-rules';

export const MAX_NAME = 255;
/** Most characters of a label: more than any provider allows. */
export const MAX_LABEL = 255;
/** Greatest age in days: a hundred years. No archive is older, and no date before it overflows. */
export const MAX_AGE_DAYS = 36_500;

export function PolicyName(): PropertyDecorator {
  return PlainName(MAX_NAME);
}

export function PolicyAccountId(): PropertyDecorator {
  return applyDecorators(IsOptional(), IsUUID());
}

/** Validates a label. Blank text is refused: taken for no label, it would delete mail with any label. */
export function PolicyLabel(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Trimmed(),
    IsString(),
    IsNotEmpty(),
    IsPlainText(),
    MaxCharacters(MAX_LABEL),
  );
}

export function PolicyMaxAgeDays(): PropertyDecorator {
  return applyDecorators(IsInt(), Min(1), Max(MAX_AGE_DAYS));
}

/** The fields of creation and change. */
class RetentionPolicyFields {
  /** The name of the policy. */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'Old promotions' })
  @PolicyName()
  name: string;

  /** The account it applies to, one of the caller's; null or absent: all of them. */
  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  })
  @PolicyAccountId()
  mailboxAccountId?: string | null;

  /**
   * Only mail with this label: its exact id, or its name in any case. `promotions`, `social`, `updates` and `forums`
   * are the categories unless the mailbox has a label of that name. null or absent: any mail.
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

  /** Mail older than this many days of 24 hours is deleted. Its age counts from the later of its date and its arrival, not from its
   * archiving. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_AGE_DAYS, example: 365 })
  @PolicyMaxAgeDays()
  maxAgeDays: number;

  /** Whether the policy is active; an inactive one deletes nothing. */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @MayBeAbsent()
  @IsBoolean()
  isActive?: boolean;

  /** Whether it also deletes copies of messages that were offloaded from the mailbox: they may be the only ones left. */
  @ApiPropertyOptional({ type: Boolean, example: false })
  @MayBeAbsent()
  @IsBoolean()
  includeOffloaded?: boolean;
}

export class CreateRetentionPolicyDto extends RetentionPolicyFields {
  /** Whether the policy is active; an inactive one deletes nothing. */
  @ApiPropertyOptional({ default: true })
  override isActive?: boolean = true;

  /** Whether it also deletes copies of messages that were offloaded from the mailbox: they may be the only ones left. */
  @ApiPropertyOptional({ default: false })
  override includeOffloaded?: boolean = false;
}

/** Changes to a policy. Absent fields stay as they are; null clears `mailboxAccountId` and `label`. */
export class UpdateRetentionPolicyDto extends PartialType(RetentionPolicyFields, {
  skipNullProperties: false,
}) {}
