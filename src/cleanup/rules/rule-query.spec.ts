import { ValidationFailed } from '../../platform/http/domain-error';
import { parseQuery, type QueryNode } from '../../platform/search/query-parser';
import type { RuleCondition, RuleField, RuleOperator } from './rule';
import { OPERATORS_OF } from './rule';
import { LabelLookup } from '../../mailbox/labels/label-lookup';
import { buildRuleQuery, includesSpamTrash } from './rule-query';

const LABELS = LabelLookup.of([
  { id: 'Label_1', name: 'Work', type: 'user' },
  { id: 'Label_2', name: 'My Label', type: 'user' },
  { id: 'Label_3', name: 'Travel/2025', type: 'user' },
  { id: 'Label_4', name: 'Été', type: 'user' },
  { id: 'Label_5', name: 'say "hi"', type: 'user' },
  { id: 'Label_6', name: 'a) OR in:anywhere (', type: 'user' },
  { id: 'Label_7', name: 'back\\slash', type: 'user' },
  { id: 'Label_8', name: '-in:inbox', type: 'user' },
  { id: 'Label_9', name: '🎉', type: 'user' },
]);

const one = (field: RuleField, operator: RuleOperator, value: RuleCondition['value']): RuleCondition => ({
  field,
  operator,
  value,
});
const build = (...conditions: RuleCondition[]): string => buildRuleQuery(conditions, LABELS);
const problems = (...conditions: unknown[]): unknown => {
  try {
    buildRuleQuery(conditions as RuleCondition[], LABELS);
  } catch (error) {
    if (error instanceof ValidationFailed) return error.errors;
    throw error;
  }
  return [];
};

/** The terms of a query that is nothing but an AND of terms, each perhaps negated. */
function termsOf(query: string): { operator: string | undefined; value: string; negated: boolean }[] {
  const tree = parseQuery(query);
  return (tree.kind === 'and' ? tree.children : [tree]).map((node: QueryNode) => {
    const term = node.kind === 'not' ? node.child : node;
    if (term.kind !== 'term') throw new Error(`${query} holds an inner ${term.kind}`);
    return { operator: term.operator, value: term.value, negated: node.kind === 'not' };
  });
}

describe('buildRuleQuery', () => {
  it.each<[RuleField, RuleOperator, RuleCondition['value'], string]>([
    ['from', 'contains', 'news', 'from:(news)'],
    ['from', 'equals', 'a.b+c%d@shop.example', 'from:(a.b+c%d@shop.example)'],
    ['from', 'not_contains', 'boss', '-from:("boss")'],
    ['to', 'not_equals', 'me@x.example', '-to:(me@x.example)'],
    ['to', 'contains', 'team', 'to:(team)'],
    ['subject', 'contains', 'weekly report', 'subject:("weekly report")'],
    ['subject', 'not_contains', 'invoice', '-subject:(invoice)'],
    ['subject', 'contains', 'réunion', 'subject:(réunion)'],
    ['subject', 'contains', 'e\u0301te\u0301', 'subject:(été)'],
    ['subject', 'contains', '日本語', 'subject:(日本語)'],
    ['subject', 'contains', '  two   words ', 'subject:("two words")'],
    ['subject', 'contains', 'foo+bar', 'subject:("foo+bar")'],
    ['subject', 'contains', '50%', 'subject:(50%)'],
    ['subject', 'contains', "it's", 'subject:("it\'s")'],
    ['subject', 'contains', 'a-b', 'subject:("a-b")'],
    ['subject', 'contains', '-a', 'subject:("-a")'],
    ['subject', 'contains', '+a', 'subject:("+a")'],
    ['has_attachment', 'is_true', true, 'has:attachment'],
    ['has_attachment', 'is_true', false, '-has:attachment'],
    ['size_gt', 'gt', 5_000_000, 'larger:5000000'],
    ['size_lt', 'lt', 1, 'smaller:1'],
    ['size_lt', 'lt', 2_147_483_647, 'smaller:2147483647'],
    ['older_than', 'equals', '30d', 'older_than:30d'],
    ['newer_than', 'equals', '9999y', 'newer_than:9999y'],
    ['label', 'equals', 'Label_1', 'label:Work'],
    ['label', 'equals', 'work', 'label:Work'],
    ['label', 'not_equals', 'Label_2', '-label:"My Label"'],
    ['label', 'equals', 'My Label', 'label:"My Label"'],
    ['label', 'equals', 'Label_3', 'label:"Travel/2025"'],
    ['label', 'equals', 'Été', 'label:Été'],
    ['label', 'equals', 'e\u0301te\u0301', 'label:Été'],
    ['label', 'equals', 'Label_6', 'label:"a) OR in:anywhere ("'],
    ['label', 'not_equals', 'Label_8', '-label:"-in:inbox"'],
    ['label', 'equals', 'Label_9', 'label:"🎉"'],
    ['label', 'equals', 'INBOX', 'label:inbox'],
    ['label', 'not_equals', 'inbox', '-label:inbox'],
    ['label', 'equals', 'UNREAD', 'label:unread'],
    ['label', 'equals', 'CATEGORY_PROMOTIONS', 'category:promotions'],
    ['label', 'not_equals', 'CATEGORY_PERSONAL', '-category:primary'],
  ])('should write %s %s %j as %s', (field, operator, value, expected) => {
    expect(build(one(field, operator, value))).toBe(expected);
  });

  it('should join the terms of all conditions', () => {
    expect(
      build(
        one('from', 'contains', 'news'),
        one('subject', 'not_contains', 'invoice'),
        one('has_attachment', 'is_true', true),
        one('size_gt', 'gt', 5_000_000),
        one('older_than', 'equals', '30d'),
      ),
    ).toBe('from:(news) -subject:(invoice) has:attachment larger:5000000 older_than:30d');
  });

  it('should know the labels that every mailbox has', () => {
    expect(buildRuleQuery([one('label', 'equals', 'SENT')], LabelLookup.SYSTEM)).toBe('label:sent');
  });

  describe('with values that try to break out of their term', () => {
    const HOSTILE: [value: string, words: string][] = [
      ['x) OR in:anywhere (', 'x) OR in:anywhere ('],
      ['" OR is:unread "', 'OR is:unread'],
      ['a" OR "b', 'a OR b'],
      ['a} {b', 'a} {b'],
      ['-in:inbox', '-in:inbox'],
      ['!a', '!a'],
      ['from:x', 'from:x'],
      ['a\\', 'a'],
      ['a\\" in:anywhere', 'a in:anywhere'],
      ['a\u201C OR in:anywhere \u201D b', 'a OR in:anywhere b'],
      ['a\uFF02 in:trash', 'a in:trash'],
      ['a\u2028in:trash', 'a in:trash'],
      ['OR', 'OR'],
      ['or', 'or'],
      ['AND', 'AND'],
      ['AROUND', 'around'],
      ['a AROUND 5 b', 'a around 5 b'],
      ['a|b', 'a|b'],
      ['(a)', '(a)'],
      ['((((a', '((((a'],
      ['a))))', 'a))))'],
      ['a -b', 'a -b'],
      ['a*', 'a*'],
      ['a, b; c', 'a, b; c'],
      ['ＯＲ', 'ＯＲ'],
      ['larger:1', 'larger:1'],
      ['{in:spam in:trash} x', '{in:spam in:trash} x'],
    ];
    const FIELDS = ['from', 'to', 'subject'] as const;
    const OPERATORS = ['contains', 'not_contains', 'equals', 'not_equals'] as const;
    const cases = HOSTILE.flatMap(([value, words]) =>
      FIELDS.flatMap((field) => OPERATORS.map((operator) => ({ field, operator, value, words }))),
    );

    it.each(cases)('should keep $field $operator $value one term', ({ field, operator, value, words }) => {
      const query = build(
        one('older_than', 'equals', '1y'),
        one(field, operator, value),
        one('has_attachment', 'is_true', true),
      );
      expect(termsOf(query)).toEqual([
        { operator: 'older_than', value: '1y', negated: false },
        { operator: field, value: words, negated: operator.startsWith('not_') },
        { operator: 'has', value: 'attachment', negated: false },
      ]);
    });

    it('should keep any mixture of special characters one term', () => {
      const alphabet = [
        '"',
        '\\',
        '(',
        ')',
        '{',
        '}',
        '-',
        '+',
        '|',
        ':',
        ' OR ',
        ' ',
        'in:anywhere',
        'a',
        '“',
        '!',
      ];
      // A linear congruential generator gives the same mixtures in every run.
      let state = 20_251_121;
      const next = (below: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
      for (let round = 0; round < 2_000; round++) {
        const value =
          Array.from({ length: 1 + next(12) }, () => alphabet[next(alphabet.length)]).join('') + 'z';
        const terms = termsOf(build(one('subject', 'contains', value), one('from', 'not_equals', value)));
        expect(terms.map(({ operator, negated }) => ({ operator, negated }))).toEqual([
          { operator: 'subject', negated: false },
          { operator: 'from', negated: true },
        ]);
      }
    });
  });

  it.each<[unknown, string]>([
    [{ field: 'colour', operator: 'equals', value: 'red' }, 'conditions.0.field'],
    [{ field: 'from', operator: 'gt', value: 'x' }, 'conditions.0.operator'],
    [{ field: 'from', operator: undefined, value: 'x' }, 'conditions.0.operator'],
    [{ field: 'label', operator: 'contains', value: 'Work' }, 'conditions.0.operator'],
    ...[
      '',
      '   ',
      '"',
      '""\\',
      '()',
      '-',
      '“”',
      '🎉',
      5,
      true,
      null,
      undefined,
      'a\nb',
      'a\0',
      '\ud800a',
      'x'.repeat(501),
    ].map((value): [unknown, string] => [
      { field: 'from', operator: 'contains', value },
      'conditions.0.value',
    ]),
    ...[0, -1, 1.5, '5', 2 ** 31, NaN, Infinity, true, null].map((value): [unknown, string] => [
      { field: 'size_gt', operator: 'gt', value },
      'conditions.0.value',
    ]),
    ...[
      '30',
      'd',
      '0d',
      '00m',
      '-1d',
      '10000d',
      '1w',
      '1D',
      ' 1d',
      '1d ',
      '1d\n',
      '1d OR in:anywhere',
      30,
      null,
    ].map((value): [unknown, string] => [
      { field: 'older_than', operator: 'equals', value },
      'conditions.0.value',
    ]),
    [{ field: 'has_attachment', operator: 'is_true', value: 'true' }, 'conditions.0.value'],
    ...['Label_99', 'Nowhere', '', 'Label_5', 'say "hi"', 'Label_7', 7].map((value): [unknown, string] => [
      { field: 'label', operator: 'equals', value },
      'conditions.0.value',
    ]),
  ])('should refuse %j, naming %s', (condition, field) => {
    expect(problems(condition)).toEqual([{ field, message: expect.any(String) }]);
  });

  it('should name every invalid condition', () => {
    expect(
      problems(one('from', 'contains', '"'), one('from', 'contains', 'a'), one('size_gt', 'lt', 1)),
    ).toMatchObject([{ field: 'conditions.0.value' }, { field: 'conditions.2.operator' }]);
  });

  it('should never build an empty query', () => {
    expect(problems()).toMatchObject([{ field: 'conditions' }]);
  });

  it('should refuse queries above 2,000 characters', () => {
    const long = (length: number): RuleCondition => one('subject', 'contains', 'x'.repeat(length));
    // `subject:()` and the blank between two terms.
    expect(build(long(500), long(500), long(500), long(457))).toHaveLength(2_000);
    expect(problems(long(500), long(500), long(500), long(458))).toMatchObject([{ field: 'conditions' }]);
  });

  it('should have operators for every field', () => {
    expect(Object.values(OPERATORS_OF).every((operators) => operators.length > 0)).toBe(true);
  });
});

describe('includesSpamTrash', () => {
  it.each<[RuleCondition, boolean]>([
    [one('label', 'equals', 'SPAM'), true],
    [one('label', 'equals', 'trash'), true],
    [one('label', 'not_equals', 'TRASH'), false],
    [one('label', 'equals', 'INBOX'), false],
    [one('from', 'equals', 'SPAM'), false],
    [one('subject', 'contains', 'in:trash'), false],
  ])('should be, for %j, %s', (condition, expected) => {
    expect(includesSpamTrash([one('older_than', 'equals', '1d'), condition])).toBe(expected);
  });
});
