import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { FieldError, ValidationFailed } from '../http/domain-error';
import { rememberRules } from './remembered-rules';

rememberRules();

/** Rules about the kind of a value. Their complaints come before those about its length or content. */
const KIND_FIRST = [
  'isDefined',
  'isString',
  'isArray',
  'isObject',
  'isInt',
  'isNumber',
  'isBoolean',
  'isEnum',
  'isIn',
  'isNotEmpty',
  'arrayMinSize',
];

/** `conditions.0.value: message`, one for every wrong field, nested ones included. */
export function flattenErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const field = parent ? `${parent}.${error.property}` : error.property;
    const constraints = error.constraints ?? {};
    const kind = KIND_FIRST.find((name) => name in constraints);
    const message = kind ? constraints[kind] : Object.values(constraints)[0];
    const own = message === undefined ? [] : [{ field, message }];
    return [...own, ...flattenErrors(error.children ?? [], field)];
  });
}

/** Bodies and queries become validated DTO instances; unknown fields are dropped, wrong ones answered with 400. */
export const validationPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidUnknownValues: false,
  exceptionFactory: (errors) => new ValidationFailed(flattenErrors(errors)),
});
