import type { Type } from '@nestjs/common';
import { FieldError, ValidationFailed } from '../../../platform/http/domain-error';
import { validationPipe } from '../../../platform/validation/validation.pipe';
import { OPERATORS_OF, RULE_FIELDS, RULE_OPERATORS, RuleCondition, RuleField } from '../rule';
import { CreateRuleDto, toAction, toConditions, UpdateRuleDto } from './rules.dto';

const read = <T>(metatype: Type<T>, body: unknown): Promise<T> =>
  validationPipe.transform(body, { type: 'body', metatype }) as Promise<T>;

async function problems(metatype: Type, body: unknown): Promise<readonly FieldError[]> {
  try {
    await read(metatype, body);
  } catch (error) {
    if (error instanceof ValidationFailed) return error.errors!;
    throw error;
  }
  return [];
}

const VALUES: Record<RuleField, RuleCondition['value']> = {
  from: 'a@b.example',
  to: 'team',
  subject: 'weekly report',
  has_attachment: true,
  size_gt: 1,
  size_lt: 2 ** 31 - 1,
  label: 'Label_1',
  older_than: '30d',
  newer_than: '9999y',
};
const good = {
  name: 'Rule',
  conditions: [{ field: 'from', operator: 'contains', value: 'news' }],
  action: { type: 'trash' },
};

const TEXT_OPERATORS = ['contains', 'not_contains', 'equals', 'not_equals'];

describe('OPERATORS_OF', () => {
  it('should match what clients and stored rules use', () => {
    expect(OPERATORS_OF).toEqual({
      from: TEXT_OPERATORS,
      to: TEXT_OPERATORS,
      subject: TEXT_OPERATORS,
      has_attachment: ['is_true'],
      size_gt: ['gt'],
      size_lt: ['lt'],
      label: ['equals', 'not_equals'],
      older_than: ['equals'],
      newer_than: ['equals'],
    });
  });
});

describe('CreateRuleDto', () => {
  const table = RULE_FIELDS.flatMap((field) => RULE_OPERATORS.map((operator) => ({ field, operator })));

  it.each(table)('should accept $field $operator only as the table says', async ({ field, operator }) => {
    const body = { ...good, conditions: [...good.conditions, { field, operator, value: VALUES[field] }] };
    const expected = OPERATORS_OF[field].includes(operator)
      ? []
      : [
          {
            field: 'conditions.1.operator',
            message: `operator must be one of ${OPERATORS_OF[field].join(', ')}`,
          },
        ];
    expect(await problems(CreateRuleDto, body)).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['no name', { name: undefined }, ['name']],
    ['a blank name', { name: '  ' }, ['name']],
    ['a name of another type', { name: 5 }, ['name']],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, ['name']],
    ['a name with a line break', { name: 'a\nb' }, ['name']],
    ['a description of 2,001 characters', { description: 'x'.repeat(2_001) }, ['description']],
    ['a description that cannot be stored', { description: 'a\0' }, ['description']],
    ['no conditions', { conditions: undefined }, ['conditions']],
    ['null conditions', { conditions: null }, ['conditions']],
    ['text for conditions', { conditions: 'from:x' }, ['conditions']],
    ['conditions that are not a list', { conditions: good.conditions[0] }, ['conditions']],
    ['an empty list of conditions', { conditions: [] }, ['conditions']],
    ['21 conditions', { conditions: Array.from({ length: 21 }, () => good.conditions[0]) }, ['conditions']],
    ['a condition that is null', { conditions: [null] }, ['conditions', 'conditions.0']],
    ['a condition that is text', { conditions: ['from:x'] }, ['conditions', 'conditions.0']],
    ['a condition that is a list', { conditions: [[]] }, ['conditions']],
    ['an empty condition', { conditions: [{}] }, ['conditions.0.field', 'conditions.0.operator']],
    [
      'an unknown field',
      { conditions: [{ field: 'constructor', operator: 'equals', value: 'x' }] },
      ['conditions.0.field'],
    ],
    [
      'a list for a field',
      { conditions: [{ field: ['from'], operator: 'equals', value: 'x' }] },
      ['conditions.0.field'],
    ],
    [
      'an object for a value',
      { conditions: [{ field: 'from', operator: 'equals', value: { $ne: 1 } }] },
      ['conditions.0.value'],
    ],
    ['no value', { conditions: [{ field: 'from', operator: 'equals' }] }, ['conditions.0.value']],
    [
      'a value without words',
      { conditions: [{ field: 'subject', operator: 'contains', value: '"\\"' }] },
      ['conditions.0.value'],
    ],
    [
      'a size as text',
      { conditions: [{ field: 'size_gt', operator: 'gt', value: '5000' }] },
      ['conditions.0.value'],
    ],
    [
      'a null for is_true',
      { conditions: [{ field: 'has_attachment', operator: 'is_true', value: null }] },
      ['conditions.0.value'],
    ],
    [
      'text for is_true',
      { conditions: [{ field: 'has_attachment', operator: 'is_true', value: 'false' }] },
      ['conditions.0.value'],
    ],
    ['no action', { action: undefined }, ['action']],
    ['null for an action', { action: null }, ['action']],
    ['text for an action', { action: 'trash' }, ['action']],
    ['a list for an action', { action: [{ type: 'trash' }] }, ['action']],
    ['an empty action', { action: {} }, ['action.type']],
    ['an unknown action', { action: { type: 'forward' } }, ['action.type']],
    ['label without a label', { action: { type: 'label' } }, ['action.labelId']],
    ['unlabel with an empty label', { action: { type: 'unlabel', labelId: '' } }, ['action.labelId']],
    ['an unknown schedule', { schedule: 'yearly' }, ['schedule']],
    ['an empty schedule', { schedule: '' }, ['schedule']],
    ['text for is_active', { is_active: 'true' }, ['is_active']],
    ['null for is_active', { is_active: null }, ['is_active']],
  ])('should refuse %s', async (_what, fields, wrong) => {
    expect((await problems(CreateRuleDto, { ...good, ...fields })).map(({ field }) => field)).toEqual(wrong);
  });

  it('should accept is_true without a value, trim texts and drop unknown fields', async () => {
    const rule = await read(CreateRuleDto, {
      ...good,
      name: ' Rule ',
      description: 'First line\nsecond line',
      conditions: [
        { field: 'has_attachment', operator: 'is_true' },
        { field: 'has_attachment', operator: 'is_true', value: false },
        { field: 'subject', operator: 'contains', value: ' a  b ', extra: 1 },
      ],
      action: { type: 'trash', labelId: 5, extra: 1 },
      extra: 1,
    });
    expect(rule).toMatchObject({ name: 'Rule', description: 'First line\nsecond line' });
    expect(rule).not.toHaveProperty('extra');
    expect(toConditions(rule.conditions)).toEqual([
      { field: 'has_attachment', operator: 'is_true', value: true },
      { field: 'has_attachment', operator: 'is_true', value: false },
      { field: 'subject', operator: 'contains', value: 'a  b' },
    ]);
    expect(toAction(rule.action)).toEqual({ type: 'trash' });
    expect(toAction({ type: 'label', labelId: 'Label_1' })).toEqual({ type: 'label', labelId: 'Label_1' });
  });
});

describe('UpdateRuleDto', () => {
  it.each([
    [{}],
    [{ name: 'x' }],
    [{ description: '' }],
    [{ schedule: null }],
    [{ is_active: false }],
    [{ conditions: good.conditions }],
    [{ action: good.action }],
  ])('should accept %j', async (body) => {
    expect(await problems(UpdateRuleDto, body)).toEqual([]);
    expect(
      Object.entries(await read(UpdateRuleDto, body)).filter(([, value]) => value !== undefined),
    ).toHaveLength(Object.keys(body).length);
  });

  it.each(['name', 'description', 'conditions', 'action', 'is_active'])(
    'should not let null clear %s',
    async (field) => {
      expect(await problems(UpdateRuleDto, { [field]: null })).toMatchObject([{ field }]);
    },
  );

  it('should validate conditions and actions as well', async () => {
    expect(
      await problems(UpdateRuleDto, {
        conditions: [{ field: 'from', operator: 'gt', value: 'x' }],
        action: { type: 'label' },
      }),
    ).toMatchObject([{ field: 'conditions.0.operator' }, { field: 'action.labelId' }]);
  });
});
