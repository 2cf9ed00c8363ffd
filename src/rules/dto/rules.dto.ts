import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { MaxCharacters } from '../../common/http/validation/max-characters';
import { MayBeAbsent } from '../../common/http/validation/may-be-absent';
import { PlainName } from '../../common/http/validation/plain-name';
import { needsLabelId, RULE_ACTIONS, RULE_SCHEDULES } from '../rule';
import type { RuleAction, RuleActionType, RuleSchedule } from '../rule';
import { Conditions, MAX_CONDITIONS, RuleConditionDto } from './condition.dto';

const MAX_NAME = 255;
const MAX_LABEL_ID = 255;

export class RuleActionDto {
  /**
   * What happens to the messages found. `trash` can be undone for 30 days, `delete` cannot; `archive` takes them out
   * of the inbox; `archive_nas` stores them in the archive.
   */
  @ApiProperty({ enum: RULE_ACTIONS, enumName: 'RuleActionType', example: 'label' })
  @IsIn(RULE_ACTIONS)
  type: RuleActionType;

  /**
   * An existing label, for `label` and `unlabel`; not read otherwise.
   * @example Label_12
   */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_LABEL_ID })
  @ValidateIf((action: RuleActionDto) => needsLabelId(action.type))
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(MAX_LABEL_ID)
  labelId?: string;
}

/** What creation and change have in common. */
class RuleFields {
  /**
   * 1–255 characters.
   * @example "Old newsletters"
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME })
  @PlainName(MAX_NAME)
  name: string;

  /** What the rule is for. */
  @ApiPropertyOptional({ type: String, example: 'Nobody reads them after a month' })
  @MayBeAbsent()
  @IsString()
  @Matches(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, { message: 'description must not hold control characters' })
  @MaxLength(2_000)
  description?: string;

  /** 1–20 conditions; a message must meet all of them. */
  @ApiProperty({ type: [RuleConditionDto], minItems: 1, maxItems: MAX_CONDITIONS })
  @Conditions()
  conditions: RuleConditionDto[];

  /** What happens to the messages found. */
  @ApiProperty({ type: RuleActionDto })
  @IsObject()
  @ValidateNested()
  @Type(() => RuleActionDto)
  action: RuleActionDto;

  /** How often the rule runs by itself; null, as on creation unless given: only by hand. */
  @ApiPropertyOptional({
    enum: [...RULE_SCHEDULES, null],
    nullable: true,
    example: 'daily',
  })
  @IsOptional()
  @IsIn(RULE_SCHEDULES)
  schedule?: RuleSchedule | null;

  /** An inactive rule does not run by itself. */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @MayBeAbsent()
  @IsBoolean()
  is_active?: boolean;
}

export class CreateRuleDto extends RuleFields {
  /** What the rule is for. */
  @ApiPropertyOptional({ default: '' })
  override description?: string = '';

  /** An inactive rule does not run by itself. */
  @ApiPropertyOptional({ default: true })
  override is_active?: boolean = true;
}

/** Absent fields stay as they are; null clears `schedule`. */
export class UpdateRuleDto extends PartialType(RuleFields, { skipNullProperties: false }) {}

export class PreviewRuleDto {
  /** 1–20 conditions; a message must meet all of them. */
  @ApiProperty({ type: [RuleConditionDto], minItems: 1, maxItems: MAX_CONDITIONS })
  @Conditions()
  conditions: RuleConditionDto[];
}

export class CreateRuleFromTemplateDto {
  /**
   * Id of a template.
   * @example trash-old-promotions
   */
  @ApiProperty({ minLength: 1 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  templateId: string;
}

/** As stored. @param action a valid one */
export function toAction({ type, labelId }: RuleActionDto): RuleAction {
  return needsLabelId(type) ? { type, labelId } : { type };
}
