import { ValidateBy, ValidationOptions } from 'class-validator';

/** Offsets such as `+01:00`, which newer runtimes take too, are no names. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** Whether this runtime knows a time zone of that name, e.g. `Europe/Paris`. */
export function isTimeZoneName(value: unknown): value is string {
  if (typeof value !== 'string' || !NAME.test(value)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: value }));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A time zone by its name in the IANA database. */
export function IsTimeZoneName(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isTimeZoneName',
      validator: {
        validate: isTimeZoneName,
        defaultMessage: () => '$property must be the name of a time zone, e.g. Europe/Paris',
      },
    },
    options,
  );
}
