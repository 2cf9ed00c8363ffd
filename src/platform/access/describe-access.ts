import {
  AccountNotOwned,
  AdminRequired,
  ApiKeyAccountRefused,
  ApiKeyScopeTooNarrow,
  ForeignOrigin,
  SessionRequired,
  Unauthenticated,
} from './access.errors';
import { isUnsafeMethod } from './policies';
import type { DomainError } from '../http/domain-error';
import { TooManyRequests } from '../rate-limit/rate-limiter';
import { AccessMarks, takeAccessMarks } from '../http/access-marks';
import type { LocatedOperation } from '../openapi/operation';

/** The scope that an API key needs for an operation; `none`: keys cannot call it. */
type KeyScope = 'read' | 'write' | 'none';

/** Names of the security schemes: a bearer token, or the cookie of a browser's session. */
export const BEARER = 'bearer';
export const SESSION_COOKIE = 'session';

const KEY_NOTES: Readonly<Record<KeyScope, string>> = {
  read: 'API keys need scope `read`.',
  write: 'API keys need scope `write`.',
  none: 'API keys cannot call this.',
};

/**
 * Documents who may call an operation: its security, and the scope that API keys need (`x-api-key-scope`, and a sentence in
 * the description).
 * @returns the refusals that follow from it
 */
export function describeAccess({ method, operation }: LocatedOperation): DomainError[] {
  const marks = takeAccessMarks(operation);
  const limited = marks.limit === 'none' ? [] : [new TooManyRequests(30_000)];
  if (marks.policy === 'public') {
    operation.security = [];
    return limited;
  }
  const scope = keyScopeOf(marks, method);
  operation.security = [{ [BEARER]: [] }, { [SESSION_COOKIE]: [] }];
  Object.assign(operation, { 'x-api-key-scope': scope });
  operation.description = [operation.description, KEY_NOTES[scope]].filter(Boolean).join('\n\n');
  return [
    new Unauthenticated(),
    ...(isUnsafeMethod(method.toUpperCase()) ? [new ForeignOrigin()] : []),
    ...(scope === 'none' ? [new SessionRequired()] : []),
    ...(scope === 'write' ? [new ApiKeyScopeTooNarrow()] : []),
    ...(scope !== 'none' && !isConfined(marks) ? [new ApiKeyAccountRefused()] : []),
    ...(marks.policy === 'admin' ? [new AdminRequired()] : []),
    ...(marks.policy === 'owns-account' ? [new AccountNotOwned()] : []),
    ...limited,
  ];
}

/** Must agree with `checkApiKeyAccess()`. */
function keyScopeOf({ policy, keys, readsOnly }: AccessMarks, method: string): KeyScope {
  const isOpen = policy === 'owns-account' || (policy === 'authenticated' && keys !== undefined);
  if (!isOpen || keys === 'session-only') return 'none';
  const onlyReads = readsOnly || method === 'get';
  return onlyReads && keys?.needs !== 'write' ? 'read' : 'write';
}

const isConfined = ({ keys }: AccessMarks): boolean => typeof keys === 'object' && keys.confined === true;
