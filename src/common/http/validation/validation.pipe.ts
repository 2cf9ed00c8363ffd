import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { FieldError, ValidationFailed } from '../domain-error';

/** `conditions.0.value: message` for every failed constraint, nested ones included. */
export function flattenErrors(errors: readonly ValidationError[], parent = ''): FieldError[] {
  return errors.flatMap((error) => {
    const field = parent ? `${parent}.${error.property}` : error.property;
    const own = Object.values(error.constraints ?? {}).map((message) => ({ field, message }));
    return [...own, ...flattenErrors(error.children ?? [], field)];
  });
}

/** Bodies and queries become validated DTO instances; unknown fields are dropped, wrong ones answered with 400. */
export const validationPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidUnknownValues: false,
  stopAtFirstError: true,
  exceptionFactory: (errors) => new ValidationFailed(flattenErrors(errors)),
});
