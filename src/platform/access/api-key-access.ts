import { ApiKeyAccountRefused, ApiKeyScopeTooNarrow, SessionRequired } from './access.errors';
import type { UsedApiKey } from './authenticated-user';
import type { ApiKeyRule, RoutePolicy } from './policies';

/** The route of a request, as the guard sees it. */
export interface RouteForKeys {
  readonly policy: RoutePolicy | undefined;
  /** Upper-case. */
  readonly method: string;
  readonly rule: ApiKeyRule | undefined;
  /** Declared to change nothing, although its method could. */
  readonly readsOnly: boolean;
  /** `:accountId` of the path; undefined where there is none. */
  readonly accountId: string | undefined;
}

const READING_METHODS = new Set(['GET', 'HEAD']);

/**
 * Checks that a key covers a route; `AccountOwnerGuard` checks the owner of the account. A route without a rule is closed
 * to keys, unless it is one of `@OwnsAccount()`.
 * @throws SessionRequired, ApiKeyScopeTooNarrow, ApiKeyAccountRefused in that order
 */
export function checkApiKeyAccess(key: UsedApiKey, route: RouteForKeys): void {
  const { rule, accountId } = route;
  const open = route.policy === 'owns-account' || (route.policy === 'authenticated' && rule !== undefined);
  if (!open || rule === 'session-only') throw new SessionRequired();

  const onlyReads = route.readsOnly || READING_METHODS.has(route.method);
  if (key.scope !== 'write' && (!onlyReads || rule?.needs === 'write')) throw new ApiKeyScopeTooNarrow();

  if (key.accountIds === null) return;
  const reached =
    accountId === undefined ? rule?.confined === true : key.accountIds.includes(accountId.toLowerCase());
  if (!reached) throw new ApiKeyAccountRefused();
}
