import { DomainError } from '../../platform/http/domain-error';

/** Per user, including expired keys: those stay listed until they are deleted. */
export const MAX_API_KEYS = 50;

export class ApiKeyLimit extends DomainError {
  constructor() {
    super({
      code: 'api-key-limit',
      status: 409,
      detail: `There can be at most ${MAX_API_KEYS} API keys: delete one first.`,
    });
  }
}
