import { isISO8601, ValidateBy, ValidationOptions } from 'class-validator';

/** Enough for any machine to be replaced; more is a mistake, or means never. */
const MAX_YEARS = 5;

const WITH_TIME_ZONE = /T.*(Z|[+-]\d\d:\d\d)$/;

/** Whether a value is an ISO 8601 time with its zone, after `now` and at most five years later. */
export function isExpiry(value: unknown, now: Date): value is string {
  if (typeof value !== 'string' || !WITH_TIME_ZONE.test(value)) return false;
  if (!isISO8601(value, { strict: true, strictSeparator: true })) return false;
  const at = Date.parse(value);
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS);
  return at > now.getTime() && at <= latest.getTime();
}

/** A time in the future, as in `isExpiry`. */
export function IsExpiry(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isExpiry',
      validator: {
        validate: (value) => isExpiry(value, new Date()),
        defaultMessage: () =>
          `$property must be an ISO 8601 time with its zone, in the future and at most ${MAX_YEARS} years away`,
      },
    },
    options,
  );
}
