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
  /** Name of the rule.
   * @example "Trash old promotions" */
  name: string;
  /** A message must meet all of them. */
  conditions: RuleConditionResponse[];
  /** What happens to the messages found. */
  action: RuleActionResponse;
  /** How often the rule runs by itself; null: only by hand. */
  @ApiProperty({ type: String, enum: [...RULE_SCHEDULES, null], nullable: true, example: null })
  schedule: RuleSchedule | null;
}

export class RuleTemplateResponse {
  /** Kebab-case, never changed.
   * @example trash-old-promotions */
  id: string;
  /** For people.
   * @example "Trash old promotions" */
  name: string;
  /** What a rule of the template does.
   * @example "Moves promotions older than 6 months to the trash, except starred and important ones." */
  description: string;
  /** What it is good for. */
  @ApiProperty({ enum: TEMPLATE_CATEGORIES, example: 'cleanup' })
  category: TemplateCategory;
  /** The rule itself. */
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
