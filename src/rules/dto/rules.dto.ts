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
  @ValidateIf((action: RuleActionDto) => needsLabelId(action.type))
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(255)
  labelId?: string;
}

export class CreateRuleDto {
  /**
   * 1–255 characters.
   * @example "Old newsletters"
   */
  @PlainName(255)
  name: string;

  /** What the rule is for. */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'Nobody reads them after a month' })
  @IsOptional()
  @IsString()
  @Matches(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, { message: 'description must not hold control characters' })
  @MaxLength(2_000)
  description?: string | null;

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
    enum: RULE_SCHEDULES,
    enumName: 'RuleSchedule',
    nullable: true,
    example: 'daily',
  })
  @IsOptional()
  @IsIn(RULE_SCHEDULES)
  schedule?: RuleSchedule | null;

  /** An inactive rule does not run by itself; true on creation unless given. */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @MayBeAbsent()
  @IsBoolean()
  is_active?: boolean;
}

/** Absent fields stay as they are; null clears `description` and `schedule`. */
export class UpdateRuleDto extends PartialType(CreateRuleDto, { skipNullProperties: false }) {}

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
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  templateId: string;
}

/** As stored. @param action a valid one */
export function toAction({ type, labelId }: RuleActionDto): RuleAction {
  return needsLabelId(type) ? { type, labelId } : { type };
}
