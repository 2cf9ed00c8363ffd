import { Injectable } from '@nestjs/common';
import type { AuthenticatedUser, UsedApiKey } from '../../platform/access/authenticated-user';
import { AccessRevocation } from '../../platform/access/access-revocation.port';
import { ApiKeyCache } from '../api-keys/api-key-cache';
import { SessionCache } from '../sessions/session-cache';
import { AccessChange, AccessChanges } from '../sessions/access-changes';
import { setTimeout } from '../../platform/concurrency/timers';

/** The longest wait of a timer. The end of a key that lives longer is noticed by `isRevoked`. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Hears of ended sessions and revoked keys from `AccessChanges`; the expiry of a key is a timer. */
@Injectable()
export class StreamRevocation extends AccessRevocation {
  constructor(
    private readonly accessChanges: AccessChanges,
    private readonly sessions: SessionCache,
    private readonly apiKeys: ApiKeyCache,
  ) {
    super();
  }

  onRevoked(user: AuthenticatedUser, listener: () => void): () => void {
    const stopListening = this.accessChanges.listen((change) => {
      if (concerns(change, user)) listener();
    });
    const stopWaiting = user.apiKey ? callAtExpiry(user.apiKey, listener) : undefined;
    return () => {
      stopListening();
      stopWaiting?.();
    };
  }

  async isRevoked(user: AuthenticatedUser): Promise<boolean> {
    return user.apiKey
      ? !(await this.apiKeys.isLive(user.apiKey.id))
      : (await this.sessions.find(user.sessionId)) === null;
  }
}

function concerns(change: AccessChange, user: AuthenticatedUser): boolean {
  if ('userId' in change) return change.userId === user.id;
  if ('apiKeyId' in change) return change.apiKeyId === user.apiKey?.id;
  // Streams are of users, not of accounts.
  return 'sessionId' in change && change.sessionId === user.sessionId;
}

function callAtExpiry({ expiresAt }: UsedApiKey, listener: () => void): (() => void) | undefined {
  if (!expiresAt) return undefined;
  const wait = expiresAt.getTime() - Date.now();
  if (wait > MAX_TIMER_MS) return undefined;
  const timer = setTimeout(listener, wait).unref();
  return () => clearTimeout(timer);
}
