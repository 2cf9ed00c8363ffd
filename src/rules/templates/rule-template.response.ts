import { ApiProperty } from '@nestjs/swagger';
import { RULE_SCHEDULES } from '../rule';
import type { RuleSchedule } from '../rule';
import {
  RuleActionResponse,
  RuleConditionResponse,
  toActionResponse,
  toConditionResponse,
} from '../rule.response';
import { RuleTemplate, TEMPLATE_CATEGORIES } from './rule-templates';
import type { TemplateCategory } from './rule-templates';

/** What a rule of this template is made of; it can be sent to create a rule as it is. */
export class TemplatedRuleResponse {
  /** @example Trash old promotions */
  name: string;
  conditions: RuleConditionResponse[];
  action: RuleActionResponse;
  @ApiProperty({ enum: RULE_SCHEDULES, enumName: 'RuleSchedule', nullable: true, example: null })
  schedule: RuleSchedule | null;
}

export class RuleTemplateResponse {
  /** @example trash-old-promotions */
  id: string;
  /** @example Trash old promotions */
  name: string;
  /** @example Moves promotions older than 6 months to the trash, except starred and important ones. */
  description: string;
  @ApiProperty({ enum: TEMPLATE_CATEGORIES, example: 'cleanup' })
  category: TemplateCategory;
  dto: TemplatedRuleResponse;
}

export function toRuleTemplateResponse(template: RuleTemplate): RuleTemplateResponse {
  const { id, name, description, category, dto } = template;
  return {
    id,
    name,
    description,
    category,
    dto: {
      name: dto.name,
      conditions: dto.conditions.map(toConditionResponse),
      action: toActionResponse(dto.action),
      schedule: dto.schedule,
    },
  };
}
