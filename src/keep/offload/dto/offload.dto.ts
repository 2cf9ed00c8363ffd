import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { IsPlainText, MayBeAbsent } from '../../../platform/validation/field-rules';
import { MAX_PAGE_SIZE } from '../../../platform/validation/page.dto';
import { QueryLimit } from '../../../platform/validation/query-transforms';
import { MESSAGE_ID } from '../../../mailbox/messages/dto/messages.dto';
import { ITEM_STATES, MAX_PLANNED } from '../plans/offload-plan';
import type { ItemState } from '../plans/offload-plan';
import { OFFLOAD_MODES } from '../receipts/receipt';
import type { OffloadMode } from '../receipts/receipt';

const MAX_DAYS = 36_500;
/** Largest size that a selection can ask for, in bytes: no provider holds larger messages. */
const MAX_BYTES = 1_000_000_000;

/** Selection of messages: exactly one of `messageIds`, `query` and `ruleId`. */
export class OffloadSelectionDto {
  /**
   * Ids of 1–50,000 messages; duplicates count once.
   * @example ["1932c5e7d5b7c3a9"]
   */
  @ApiPropertyOptional({ minItems: 1, maxItems: MAX_PLANNED })
  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_PLANNED)
  @Matches(MESSAGE_ID, { each: true, message: 'each value in messageIds must be a message id' })
  messageIds?: string[];

  /**
   * Query in the provider's own search language; empty: everything but spam and trash.
   * @example "from:newsletter@example.org"
   */
  @ApiPropertyOptional({ maxLength: 2_000 })
  @MayBeAbsent()
  @IsString()
  @MaxLength(2_000)
  @IsPlainText()
  query?: string;

  /** A rule of this mailbox: the messages that meet its conditions. Its action does not matter. */
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  @MayBeAbsent()
  @IsUUID()
  ruleId?: string;

  /** Only messages that arrived this number of days ago or earlier. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_DAYS, example: 365 })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(MAX_DAYS)
  olderThanDays?: number;

  /** Only messages that are larger than this number of bytes. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_BYTES, example: 5_000_000 })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(MAX_BYTES)
  largerThan?: number;
}

/** Marks that do not keep messages in the mailbox. */
export class OffloadAllowDto {
  /** Starred messages go too. */
  @ApiPropertyOptional({ default: false, example: false })
  @MayBeAbsent()
  @IsBoolean()
  starred?: boolean = false;

  /** Messages marked important go too. */
  @ApiPropertyOptional({ default: false, example: false })
  @MayBeAbsent()
  @IsBoolean()
  important?: boolean = false;

  /** Unread messages go too. */
  @ApiPropertyOptional({ default: false, example: true })
  @MayBeAbsent()
  @IsBoolean()
  unread?: boolean = false;
}

const Mode = (): PropertyDecorator =>
  ApiPropertyOptional({
    enum: OFFLOAD_MODES,
    enumName: 'OffloadMode',
    default: 'strict',
    example: 'strict',
    description:
      '`strict` fetches each message again and compares it with its copy; `fast` only reads the copy, and trusts the hash of its arrival.',
  });

export class CreateOffloadPlanDto {
  @ApiProperty({ type: OffloadSelectionDto })
  @IsObject()
  @ValidateNested()
  @Type(() => OffloadSelectionDto)
  select: OffloadSelectionDto;

  @Mode()
  @MayBeAbsent()
  @IsIn(OFFLOAD_MODES)
  mode?: OffloadMode = 'strict';

  @ApiPropertyOptional({ type: OffloadAllowDto })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => OffloadAllowDto)
  allow?: OffloadAllowDto = new OffloadAllowDto();
}

export class ConfirmOffloadPlanDto {
  /** The `digest` of the plan that was shown to the person who confirms. */
  @ApiProperty({ example: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c' })
  @Matches(/^[0-9a-f]{64}$/, { message: 'digest must be 64 hexadecimal digits' })
  digest: string;

  /** The `offloadable` of the plan that was shown to the person who confirms. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_PLANNED, example: 4_780 })
  @IsInt()
  @Min(1)
  @Max(MAX_PLANNED)
  count: number;
}

export class SetOffloadScheduleDto {
  @ApiProperty({ type: OffloadSelectionDto })
  @IsObject()
  @ValidateNested()
  @Type(() => OffloadSelectionDto)
  select: OffloadSelectionDto;

  @Mode()
  @MayBeAbsent()
  @IsIn(OFFLOAD_MODES)
  mode?: OffloadMode = 'strict';

  /** Messages that arrived within this number of days stay. */
  @ApiProperty({ type: 'integer', minimum: 7, maximum: MAX_DAYS, example: 90 })
  @IsInt()
  @Min(7)
  @Max(MAX_DAYS)
  graceDays: number;

  /** A night that would move more messages moves none: its plan waits for a person. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 10_000, example: 1_000 })
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxPerNight: number;

  /** An inactive schedule plans nothing. */
  @ApiProperty({ example: true })
  @IsBoolean()
  isActive: boolean;
}

/** A page of plans or receipts. */
export class ListPlansQuery {
  /** `next` of the page before. */
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  @IsOptional()
  @IsUUID()
  after?: string;

  /** Items per page; above 100 it is lowered to 100. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: 50, example: 50 })
  @QueryLimit(MAX_PAGE_SIZE)
  limit: number = 50;
}

/** A page of the messages of a plan. */
export class ListPlanMessagesQuery {
  /** Only messages in this state. */
  @ApiPropertyOptional({ enum: ITEM_STATES, enumName: 'OffloadItemState', example: 'blocked' })
  @IsOptional()
  @IsIn(ITEM_STATES)
  state?: ItemState;

  /** `next` of the page before. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_PLANNED, example: 49 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(MAX_PLANNED)
  after?: number;

  /** Messages per page; above 100 it is lowered to 100. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: 50, example: 50 })
  @QueryLimit(MAX_PAGE_SIZE)
  limit: number = 50;
}
