import { isUUID } from 'class-validator';
import { ValidationFailed } from '../common/http/domain-error';

/** Path parameters that carry ids of the provider or of the job queue, not UUIDs of ours. */
const OPAQUE = new Set(['messageId', 'labelId', 'threadId', 'jobId', 'partId', 'senderEmail']);

/** Whether a path parameter of this name is a UUID: every `…Id` is one unless listed above. */
export const isUuidParameter = (name: string): boolean => name.endsWith('Id') && !OPAQUE.has(name);

/**
 * Every `…Id` in a path is a UUID unless listed above.
 * @throws ValidationFailed naming the malformed ones
 */
export function checkPathIds(parameters: Readonly<Record<string, string | string[]>>): void {
  const wrong = Object.entries(parameters)
    .filter(([name, value]) => isUuidParameter(name) && !isUUID(value))
    .map(([field]) => ({ field, message: `${field} must be a UUID` }));
  if (wrong.length > 0) throw new ValidationFailed(wrong);
}
