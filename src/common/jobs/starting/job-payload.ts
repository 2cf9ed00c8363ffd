import { validate } from 'class-validator';
import { ValidationFailed } from '../../http/domain-error';
import { flattenErrors } from '../../http/validation/validation.pipe';
import type { JobDefinition } from '../job-definition';

/**
 * The payload as an instance of the definition's class, unknown fields dropped. Payloads are flat, so their fields are
 * taken over as they are: a transformation would visit each of 50,000 ids, and hold up every request meanwhile.
 * @throws ValidationFailed naming the wrong fields
 */
export async function validatedPayload<P extends object>(
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
