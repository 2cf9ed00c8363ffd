import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsObject, ValidateNested } from 'class-validator';
import { RULE_FIELDS, RULE_OPERATORS } from '../rule';
import type { RuleCondition, RuleField, RuleOperator } from '../rule';
import { IsOperatorOfField, IsValueOfField } from './condition.validators';

export const MAX_CONDITIONS = 20;

export class RuleConditionDto {
  /** What is looked at. */
  @ApiProperty({ enum: RULE_FIELDS, enumName: 'RuleField', example: 'from' })
  @IsIn(RULE_FIELDS)
  field: RuleField;

  /**
   * How: `from`, `to`, `subject` take `contains`, `not_contains`, `equals`, `not_equals`; `label` takes `equals`,
   * `not_equals`; `older_than`, `newer_than` take `equals`; `has_attachment` takes `is_true`, `size_gt` takes `gt`,
   * `size_lt` takes `lt`.
   */
  @ApiProperty({ enum: RULE_OPERATORS, enumName: 'RuleOperator', example: 'contains' })
  @IsOperatorOfField()
  operator: RuleOperator;

  /**
   * With what: text, the id or name of a label, a number of bytes, an age as a number followed by `d`, `m` or `y`, or
   * `true` (which may be left out).
   */
  @ApiProperty({
    oneOf: [
      { type: 'string', maxLength: 500 },
      { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      { type: 'boolean', enum: [true] },
    ],
    required: false,
    example: 'newsletter@shop.example',
  })
  @IsValueOfField()
  value?: string | number | boolean;
}

/** 1–20 conditions. */
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

/** As stored. @param conditions valid ones */
export function toConditions(conditions: readonly RuleConditionDto[]): RuleCondition[] {
  return conditions.map(({ field, operator, value = true }) => ({
    field,
    operator,
    value: typeof value === 'string' ? value.trim() : value,
  }));
}
