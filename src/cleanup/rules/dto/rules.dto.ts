import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  ValidationArguments,
} from 'class-validator';
import { MaxCharacters, MayBeAbsent, PlainName } from '../../../platform/validation/field-rules';
import {
  needsLabelId,
  OPERATORS_OF,
  RULE_ACTIONS,
  RULE_FIELDS,
  RULE_OPERATORS,
  RULE_SCHEDULES,
  valueProblem,
} from '../rule';
import type {
  RuleAction,
  RuleActionType,
  RuleCondition,
  RuleField,
  RuleOperator,
  RuleSchedule,
} from '../rule';

/** The field beside the validated property; undefined when it is invalid, which the validator of that field reports. */
function fieldOf(args: ValidationArguments | undefined): RuleField | undefined {
  const { field } = (args?.object ?? {}) as { field?: unknown };
  return RULE_FIELDS.find((name) => name === field);
}

function operatorsFor(args: ValidationArguments | undefined): readonly string[] {
  const field = fieldOf(args);
  return field === undefined ? RULE_OPERATORS : OPERATORS_OF[field];
}

/** Requires an operator that is valid for the condition's field. */
export const IsOperatorOfField = (): PropertyDecorator =>
  ValidateBy({
    name: 'isOperatorOfField',
    validator: {
      validate: (value: unknown, args) => operatorsFor(args).some((operator) => operator === value),
      defaultMessage: (args) => `operator must be one of ${operatorsFor(args).join(', ')}`,
    },
  });

function problemOf(value: unknown, args: ValidationArguments | undefined): string | undefined {
  const field = fieldOf(args);
  if (field === undefined || (field === 'has_attachment' && value === undefined)) return undefined;
  return valueProblem(field, value);
}

/** Requires a value of the kind that the condition's field takes; `is_true` needs none. */
export const IsValueOfField = (): PropertyDecorator =>
  ValidateBy({
    name: 'isValueOfField',
    validator: {
      validate: (value: unknown, args) => problemOf(value, args) === undefined,
      defaultMessage: (args) => problemOf(args?.value, args) ?? 'value is not valid',
    },
  });

export const MAX_CONDITIONS = 20;

export class RuleConditionDto {
  /** Property of the message that the condition tests. */
  @ApiProperty({ enum: RULE_FIELDS, enumName: 'RuleField', example: 'from' })
  @IsIn(RULE_FIELDS)
  field: RuleField;

  /**
   * Comparison. `from`, `to`, `subject` take `contains`, `not_contains`, `equals`, `not_equals`; `label` takes
   * `equals`, `not_equals`; `older_than`, `newer_than` take `equals`; `has_attachment` takes `is_true`, `size_gt` takes
   * `gt`, `size_lt` takes `lt`.
   */
  @ApiProperty({ enum: RULE_OPERATORS, enumName: 'RuleOperator', example: 'contains' })
  @IsOperatorOfField()
  operator: RuleOperator;

  /**
   * Value to compare with: text, the id or name of a label, a number of bytes, an age as a number followed by `d`,
   * `m` or `y`, or for `has_attachment` `true` (which may be omitted) or `false`.
   */
  @ApiProperty({
    oneOf: [
      { type: 'string', maxLength: 500 },
      { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      { type: 'boolean' },
    ],
    required: false,
    example: 'newsletter@shop.example',
  })
  @IsValueOfField()
  value?: string | number | boolean;
}

/** Declares 1–20 conditions. */
export function Conditions(): PropertyDecorator {
  return applyDecorators(
    IsArray(),
    ArrayMinSize(1),
    ArrayMaxSize(MAX_CONDITIONS),
    IsObject({ each: true, message: 'each value in conditions must be an object' }),
    ValidateNested({ each: true }),
    Type(() => RuleConditionDto),
  );
}

/** Conditions as they are stored. @param conditions valid ones */
export function toConditions(conditions: readonly RuleConditionDto[]): RuleCondition[] {
  return conditions.map(({ field, operator, value = true }) => ({
    field,
    operator,
    value: typeof value === 'string' ? value.trim() : value,
  }));
}

const MAX_NAME = 255;
const MAX_LABEL_ID = 255;

export class RuleActionDto {
  /**
   * Action on the matching messages. `trash` can be undone for 29 days, `delete` cannot; `archive` removes them from the inbox;
   * `archive_nas` stores them in the archive.
   */
  @ApiProperty({ enum: RULE_ACTIONS, enumName: 'RuleActionType', example: 'label' })
  @IsIn(RULE_ACTIONS)
  type: RuleActionType;

  /**
   * An existing label, for `label` and `unlabel`; ignored otherwise.
   * @example Label_12
   */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_LABEL_ID })
  @ValidateIf((action: RuleActionDto) => needsLabelId(action.type))
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(MAX_LABEL_ID)
  labelId?: string;
}

/** Fields that creation and change share. */
class RuleFields {
  /**
   * Name, 1–255 characters.
   * @example "Old newsletters"
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME })
  @PlainName(MAX_NAME)
  name: string;

  /** Purpose of the rule, for its users. */
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

  /** Action on the matching messages. */
  @ApiProperty({ type: RuleActionDto })
  @IsObject()
  @ValidateNested()
  @Type(() => RuleActionDto)
  action: RuleActionDto;

  /** Interval at which the rule runs automatically. null, the default on creation: only on demand. */
  @ApiPropertyOptional({
    enum: [...RULE_SCHEDULES, null],
    nullable: true,
    example: 'daily',
  })
  @IsOptional()
  @IsIn(RULE_SCHEDULES)
  schedule?: RuleSchedule | null;

  /** Whether the rule runs automatically. */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @MayBeAbsent()
  @IsBoolean()
  is_active?: boolean;
}

export class CreateRuleDto extends RuleFields {
  /** Purpose of the rule, for its users. */
  @ApiPropertyOptional({ default: '' })
  override description?: string = '';

  /** Whether the rule runs automatically. */
  @ApiPropertyOptional({ default: true })
  override is_active?: boolean = true;
}

/** Changes of a rule. Absent fields stay as they are; null clears `schedule`. */
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

/** Action as it is stored. @param action a valid one */
export function toAction({ type, labelId }: RuleActionDto): RuleAction {
  return needsLabelId(type) ? { type, labelId } : { type };
}
