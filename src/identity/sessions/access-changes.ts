import { Injectable, Logger, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { RedisService } from '../../platform/redis/redis.service';

const CHANNEL = 'access-changes';

/**
 * A change of what a caller may do: a session ended, an API key was revoked, a mailbox account was deleted, or anything about
 * a user changed.
 */
export type AccessChange =
  | { readonly sessionId: string }
  | { readonly apiKeyId: string }
  | { readonly accountId: string }
  | { readonly userId: string };

type Listener = (change: AccessChange) => void;

/** Tells every process when a session ended, a key was revoked, an account was deleted, a user was deactivated or a role changed. */
@Injectable()
export class AccessChanges implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AccessChanges.name);
  private readonly listeners = new Set<Listener>();
  private unsubscribe: (() => Promise<void>) | undefined;

  constructor(private readonly redis: RedisService) {}

  async onModuleInit(): Promise<void> {
    this.unsubscribe = await this.redis.subscribe(CHANNEL, (message) => {
      if (isAccessChange(message)) this.notify(message);
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.unsubscribe?.();
  }

  /** @returns call it to stop listening */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Call it once the change is committed. This process has heard of it when the call returns, the others when its promise
   * settles.
   */
  async announce(change: AccessChange): Promise<void> {
    this.notify(change);
    try {
      await this.redis.publish(CHANNEL, change);
    } catch (error) {
      // The change stands; other processes notice it seconds later, when their cached copy expires.
      this.logger.warn(`Could not announce an access change: ${String(error)}`);
    }
  }

  private notify(change: AccessChange): void {
    for (const listener of this.listeners) listener(change);
  }
}

function isAccessChange(message: unknown): message is AccessChange {
  if (typeof message !== 'object' || message === null) return false;
  const { sessionId, apiKeyId, accountId, userId } = message as Record<string, unknown>;
  return [sessionId, apiKeyId, accountId, userId].some((id) => typeof id === 'string');
}
