import { ValidateBy, ValidationArguments } from 'class-validator';
import { OPERATORS_OF, valueProblem } from '../query/condition-table';
import { RULE_FIELDS, RULE_OPERATORS, RuleField } from '../rule';

/** The field beside the validated property; undefined when it is not one, which its own validator says. */
function fieldOf(args: ValidationArguments | undefined): RuleField | undefined {
  const { field } = (args?.object ?? {}) as { field?: unknown };
  return RULE_FIELDS.find((name) => name === field);
}

function operatorsFor(args: ValidationArguments | undefined): readonly string[] {
  const field = fieldOf(args);
  return field === undefined ? RULE_OPERATORS : OPERATORS_OF[field];
}

/** An operator the condition's field takes. */
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

/** A value of the kind the condition's field takes; `is_true` needs none. */
export const IsValueOfField = (): PropertyDecorator =>
  ValidateBy({
    name: 'isValueOfField',
    validator: {
      validate: (value: unknown, args) => problemOf(value, args) === undefined,
      defaultMessage: (args) => problemOf(args?.value, args) ?? 'value is not valid',
    },
  });
