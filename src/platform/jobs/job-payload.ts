import { validate } from 'class-validator';
import { ValidationFailed } from '../http/domain-error';
import { flattenErrors } from '../validation/validation.pipe';
import type { JobDefinition } from './job-definition';

/**
 * The payload as an instance of the definition's class, unknown fields dropped. Payloads are flat, so their fields are
 * taken over as they are: a transformation would visit each of 50,000 ids, and hold up every request meanwhile.
 * @throws ValidationFailed naming the wrong fields
 */
export async function validatePayload<P extends object>(
  definition: JobDefinition<P>,
  payload: object,
): Promise<P> {
  const instance = Object.assign(new definition.payload(), payload);
  const errors = await validate(instance, {
    whitelist: true,
    forbidUnknownValues: false,
  });
  if (errors.length > 0) throw new ValidationFailed(flattenErrors(errors));
  return instance;
}

/** Longest array of a payload that lists show in full. */
const LISTED_ITEMS = 100;

/**
 * The payload with its long arrays cut, or null when it has none. A payload may hold 50,000 ids: the preview is stored
 * beside it, so that lists of jobs never read them. Payloads are flat, see the payload classes.
 */
export function previewOf(payload: object): Record<string, unknown> | null {
  const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > LISTED_ITEMS;
  const fields = Object.entries(payload) as [string, unknown][];
  if (!fields.some(([, value]) => isLong(value))) return null;
  return Object.fromEntries(
    fields.map(([name, value]) => [name, isLong(value) ? value.slice(0, LISTED_ITEMS) : value]),
  );
}
