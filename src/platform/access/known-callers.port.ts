import type { Request } from 'express';
import type { AuthenticatedUser } from './authenticated-user';

/**
 * Callers whose credentials this process has verified already and whose access it knows to be alive: they need not wait
 * for the strategies. Implemented by `sessions`.
 */
export abstract class KnownCallers {
  /** @returns undefined when the strategies have to be asked. @throws what the strategies would fail with */
  abstract find(request: Request): AuthenticatedUser | undefined;
}
