import { ApiProperty } from '@nestjs/swagger';
import { RULE_ACTIONS, RULE_FIELDS, RULE_OPERATORS, RULE_SCHEDULES } from '../rule';
import type {
  RuleAction,
  RuleActionType,
  RuleCondition,
  RuleField,
  RuleOperator,
  RuleSchedule,
} from '../rule';
import { RuleTemplate, TEMPLATE_CATEGORIES } from '../rule-templates';
import type { TemplateCategory } from '../rule-templates';
import type { SavedRule } from '../rules.repository';

export class RuleConditionResponse {
  /** Property of the message that the condition tests. */
  @ApiProperty({ enum: RULE_FIELDS, enumName: 'RuleField', example: 'from' })
  field: RuleField;

  /** Comparison. */
  @ApiProperty({ enum: RULE_OPERATORS, enumName: 'RuleOperator', example: 'contains' })
  operator: RuleOperator;

  /** Value to compare with. */
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }],
    example: 'newsletter@shop.example',
  })
  value: string | number | boolean;
}

export class RuleActionResponse {
  /** Action on the matching messages. */
  @ApiProperty({ enum: RULE_ACTIONS, enumName: 'RuleActionType', example: 'label' })
  type: RuleActionType;

  /**
   * Id of the label; only for `label` and `unlabel`.
   * @example Label_12
   */
  labelId?: string;
}

export class RuleResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** The mailbox the rule is for. */
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c' })
  mailbox_account_id: string;

  /**
   * Name of the rule.
   * @example "Old newsletters"
   */
  name: string;

  /** Purpose of the rule, for its users. */
  @ApiProperty({ example: 'Nobody reads them after a month' })
  description: string;

  /** Conditions; a message must meet all of them. */
  conditions: RuleConditionResponse[];

  /** Action on the matching messages. */
  action: RuleActionResponse;

  /** Interval at which the rule runs automatically; null: only on demand. */
  @ApiProperty({ type: String, enum: [...RULE_SCHEDULES, null], nullable: true, example: 'daily' })
  schedule: RuleSchedule | null;

  /**
   * Whether the rule runs automatically.
   * @example true
   */
  is_active: boolean;

  /** Time when the last run began. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2025-06-01T08:00:00.000Z' })
  last_run_at: string | null;

  /** Number of messages that the last completed run acted on. */
  @ApiProperty({ type: 'integer', nullable: true, example: 42 })
  last_run_count: number | null;

  @ApiProperty({ format: 'date-time', example: '2025-05-01T08:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2025-05-01T08:00:00.000Z' })
  updated_at: string;
}

export function toConditionResponse({ field, operator, value }: RuleCondition): RuleConditionResponse {
  return { field, operator, value };
}

export function toActionResponse({ type, labelId }: RuleAction): RuleActionResponse {
  return labelId === undefined ? { type } : { type, labelId };
}

export function toRuleResponse(rule: SavedRule): RuleResponse {
  return {
    id: rule.id,
    mailbox_account_id: rule.mailboxAccountId,
    name: rule.name,
    description: rule.description ?? '',
    conditions: rule.conditions.map(toConditionResponse),
    action: toActionResponse(rule.action),
    schedule: rule.schedule,
    is_active: rule.isActive,
    last_run_at: rule.lastRunAt,
    last_run_count: rule.lastRunCount,
    created_at: rule.createdAt,
    updated_at: rule.updatedAt,
  };
}

export class RulePreviewResponse {
  /** The native query the conditions translate to.
   * @example "from:(news) older_than:30d" */
  query: string;

  /** Number of messages that the query finds: exact up to 10,000, above that an estimate. */
  @ApiProperty({ type: 'integer', example: 1250 })
  estimatedCount: number;

  /** Number of starred messages. */
  @ApiProperty({ type: 'integer', example: 2 })
  starredCount: number;

  /** Number of messages that are marked important. */
  @ApiProperty({ type: 'integer', example: 7 })
  importantCount: number;
}

export class RuleRunResponse {
  /** The job that runs the rule; see `GET /api/jobs/{jobId}`.
   * @example run_rule-42 */
  jobId: string;
  /** Text for people.
   * @example "Rule run started" */
  message: string;
}

/** The rule of a template; it can be sent as it is to create a rule. */
export class TemplatedRuleResponse {
  /** Name of the rule.
   * @example "Trash old promotions" */
  name: string;
  /** Conditions; a message must meet all of them. */
  conditions: RuleConditionResponse[];
  /** Action on the matching messages. */
  action: RuleActionResponse;
  /** Interval at which the rule runs automatically; null: only on demand. */
  @ApiProperty({ type: String, enum: [...RULE_SCHEDULES, null], nullable: true, example: null })
  schedule: RuleSchedule | null;
}

export class RuleTemplateResponse {
  /** Kebab-case, never changed.
   * @example trash-old-promotions */
  id: string;
  /** Text for people.
   * @example "Trash old promotions" */
  name: string;
  /** Effect of a rule of the template.
   * @example "Moves promotions older than 6 months to the trash, except starred and important ones." */
  description: string;
  /** Chapter of the list of templates. */
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
