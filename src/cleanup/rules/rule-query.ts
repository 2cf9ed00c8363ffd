import { FieldError, ValidationFailed } from '../../platform/http/domain-error';
import { LabelLookup, NamedLabel } from '../../mailbox/labels/label-lookup';
import { isQuotable, exactTerm, searchTerm, searchText } from '../../mailbox/messages/search-text';
import { isNegative, OPERATORS_OF, RULE_FIELDS, RuleCondition, valueProblem } from './rule';

/** Longest query in characters: the provider cuts or misreads longer ones, and a saved search could not hold them. */
export const MAX_QUERY_LENGTH = 2_000;

const CATEGORIES: Readonly<Record<string, string>> = {
  CATEGORY_PERSONAL: 'primary',
  CATEGORY_SOCIAL: 'social',
  CATEGORY_PROMOTIONS: 'promotions',
  CATEGORY_UPDATES: 'updates',
  CATEGORY_FORUMS: 'forums',
};
const HIDDEN = new Set(['SPAM', 'TRASH']);

/**
 * Builds the native query for messages that meet every condition: one term for each, all of them required. Text is matched word
 * by word and loosely, so that its results must be checked again where exactness matters.
 *
 * Whatever value a condition has, the query has exactly one term for it, of the condition's own operator, and never none.
 *
 * @throws ValidationFailed naming `conditions.N.…`: a wrong operator or value, a label the mailbox does not have
 */
export function buildRuleQuery(conditions: readonly RuleCondition[], labels: LabelLookup): string {
  const terms: string[] = [];
  const errors: FieldError[] = [];
  for (const [at, condition] of conditions.entries()) {
    const problem = conditionProblem(condition, labels);
    if (problem) errors.push({ field: `conditions.${at}.${problem.field}`, message: problem.message });
    else terms.push(conditionTerm(condition, labels));
  }
  if (errors.length > 0) throw new ValidationFailed(errors);
  const query = terms.join(' ');
  if (query === '') throw conditionsInvalid('conditions must hold at least one condition');
  if (query.length > MAX_QUERY_LENGTH)
    throw conditionsInvalid(`conditions must make a query of at most ${MAX_QUERY_LENGTH} characters`);
  return query;
}

/** Whether the conditions ask for messages in spam or trash, which searches leave out by default. */
export function includesSpamTrash(conditions: readonly RuleCondition[]): boolean {
  return conditions.some(
    ({ field, operator, value }) =>
      field === 'label' &&
      operator === 'equals' &&
      HIDDEN.has(LabelLookup.SYSTEM.find(String(value))?.id ?? ''),
  );
}

function conditionProblem(condition: RuleCondition, labels: LabelLookup): FieldError | undefined {
  const { field, operator, value } = condition;
  if (!RULE_FIELDS.includes(field)) return { field: 'field', message: 'field is unknown' };
  if (!OPERATORS_OF[field].includes(operator)) {
    return { field: 'operator', message: `operator must be one of ${OPERATORS_OF[field].join(', ')}` };
  }
  const problem = valueProblem(field, value) ?? (field === 'label' ? labelProblem(value, labels) : undefined);
  return problem === undefined ? undefined : { field: 'value', message: problem };
}

function labelProblem(value: unknown, labels: LabelLookup): string | undefined {
  const label = labels.find(value as string);
  if (label === undefined) return 'value must be the id or the name of an existing label';
  return isQuotable(label.name) ? undefined : 'value names a label that cannot be searched for: rename it';
}

/** The term of a condition. @param condition without problems */
function conditionTerm(condition: RuleCondition, labels: LabelLookup): string {
  const { field, value } = condition;
  const sign = isNegative(condition) ? '-' : '';
  switch (field) {
    case 'from':
    case 'to':
    case 'subject':
      return `${sign}${field}:(${exactTerm(searchText(value as string) as string)})`;
    case 'label':
      return `${sign}${labelTerm(labels.find(value as string) as NamedLabel)}`;
    case 'has_attachment':
      return `${sign}has:attachment`;
    case 'size_gt':
      return `larger:${Number(value)}`;
    case 'size_lt':
      return `smaller:${Number(value)}`;
    case 'older_than':
    case 'newer_than':
      return `${field}:${String(value)}`;
  }
}

/** The term of a label: searches use the names of labels, and special names for categories. */
function labelTerm({ id, name, type }: NamedLabel): string {
  const category = CATEGORIES[id];
  if (category !== undefined) return `category:${category}`;
  return `label:${searchTerm(type === 'system' ? name.toLowerCase() : name)}`;
}

function conditionsInvalid(message: string): ValidationFailed {
  return new ValidationFailed([{ field: 'conditions', message }]);
}
