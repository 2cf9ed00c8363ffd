import { parseQuery, type QueryNode } from '../../platform/search/query-parser';
import { allowForExamples, anyUtf16, fc, holds, mixtureOf } from '../../../test/support/properties';
import { subjectQuery } from '../analytics/suggestions';
import { ValidationFailed } from '../../platform/http/domain-error';
import { LabelLookup } from '../../mailbox/labels/label-lookup';
import { isQuotable, searchText, senderQuery } from '../../mailbox/messages/search-text';
import { RULE_FIELDS, RULE_OPERATORS, type RuleCondition } from './rule';
import { buildRuleQuery, MAX_QUERY_LENGTH } from './rule-query';

allowForExamples();

const text = fc.oneof(
  anyUtf16(40),
  mixtureOf(
    ['"', '\\', '(', ')', '{', '}', '-', '+', '|', ':', ' OR ', ' AND ', ' AROUND 5 ', 'in:anywhere', 'from:', '@', 'a', '\u201c', '\uff02', '\u2028', ' ', '\u0301'], // prettier-ignore
  ),
);

const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constantFrom('1d', '30m', '2y', '0d', null, undefined),
);
const condition = fc.oneof(
  fc.record({ field: fc.constantFrom(...RULE_FIELDS), operator: fc.constantFrom(...RULE_OPERATORS), value }),
  fc.record({
    field: fc.constantFrom('from', 'to', 'subject', 'label'),
    operator: fc.constantFrom('contains', 'not_contains', 'equals', 'not_equals'),
    value: text,
  }),
);

interface Term {
  readonly operator: string | undefined;
  readonly value: string;
  readonly negated: boolean;
}

/** The terms of a query that is nothing but an AND of terms, each perhaps negated; read by another parser. */
function termsOf(query: string): Term[] {
  const tree = parseQuery(query);
  return (tree.kind === 'and' ? tree.children : [tree]).map((node: QueryNode) => {
    const term = node.kind === 'not' ? node.child : node;
    if (term.kind !== 'term') throw new Error(`${query} holds an inner ${term.kind}`);
    return { operator: term.operator, value: term.value, negated: node.kind === 'not' };
  });
}

/** The operator that a condition is searched with, implemented independently. */
const operatorOf = ({ field }: RuleCondition, term: Term | undefined): string => {
  if (field === 'has_attachment') return 'has';
  if (field === 'size_gt') return 'larger';
  if (field === 'size_lt') return 'smaller';
  return field === 'label' && term?.operator === 'category' ? 'category' : field;
};

describe('a query built from conditions', () => {
  it('should have one term with the right operator for each condition of any value, or be refused', () => {
    holds(
      600,
      fc.property(
        fc.array(condition, { minLength: 1, maxLength: 5 }),
        fc.array(text, { maxLength: 4 }),
        (any, names) => {
          const conditions = any as RuleCondition[];
          const labels = LabelLookup.of(names.map((name, at) => ({ id: `Label_${at}`, name, type: 'user' })));
          let query: string;
          try {
            query = buildRuleQuery(conditions, labels);
          } catch (error) {
            expect(error).toBeInstanceOf(ValidationFailed);
            return;
          }
          const terms = termsOf(query);
          expect(terms.map(({ operator, negated }) => ({ operator, negated }))).toEqual(
            conditions.map((each, at) => ({
              operator: operatorOf(each, terms[at]),
              negated:
                each.operator.startsWith('not_') || (each.field === 'has_attachment' && each.value === false),
            })),
          );
          expect(query.length).toBeLessThanOrEqual(MAX_QUERY_LENGTH);
        },
      ),
    );
  });

  it('should search for exactly the given words', () => {
    holds(
      400,
      fc.property(fc.constantFrom('from', 'to', 'subject'), text, (field, words) => {
        const kept = searchText(words);
        // eslint-disable-next-line no-control-regex
        if (kept === undefined || /[\u0000-\u001f\u007f-\u009f]|\p{Cs}/u.test(words)) return;
        const query = buildRuleQuery([{ field, operator: 'contains', value: words }], LabelLookup.of([]));
        expect(termsOf(query)).toEqual([{ operator: field, value: kept, negated: false }]);
      }),
    );
  });

  it('should name labels by their names', () => {
    holds(
      200,
      fc.property(
        text.filter((name) => name.trim() !== '' && isQuotable(name)),
        (name) => {
          const labels = LabelLookup.of([{ id: 'Label_1', name, type: 'user' }]);
          const query = buildRuleQuery([{ field: 'label', operator: 'equals', value: 'Label_1' }], labels);
          expect(termsOf(query)).toEqual([{ operator: 'label', value: name, negated: false }]);
        },
      ),
    );
  });
});

describe('queries built from untrusted text', () => {
  it('should be one from: term for an address, or none', () => {
    holds(
      500,
      fc.property(text, text, (local, domain) => {
        const query = senderQuery(`${local}@${domain}`);
        if (query === null) return;
        expect(termsOf(query)).toEqual([{ operator: 'from', value: expect.any(String), negated: false }]);
      }),
    );
  });

  it('should be subject: terms for a subject, or none', () => {
    holds(
      500,
      fc.property(text, (subject) => {
        const query = subjectQuery(subject);
        if (query === null) return;
        for (const { operator, negated } of termsOf(query))
          expect([operator, negated]).toEqual(['subject', false]);
      }),
    );
  });
});
