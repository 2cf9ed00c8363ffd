import { Injectable, Logger, OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { RedisService } from '../common/redis/redis.service';

const CHANNEL = 'access-changes';

/**
 * What somebody may do has changed: one session ended, one API key was revoked, or everything about a user is to be
 * looked at again.
 */
export type AccessChange =
  | { readonly sessionId: string }
  | { readonly apiKeyId: string }
  | { readonly userId: string };

type Listener = (change: AccessChange) => void;

/** Tells every process at once when a session ended, a key was revoked, a user was deactivated or a role changed. */
@Injectable()
export class AccessChanges implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AccessChanges.name);
  private readonly listeners = new Set<Listener>();
  private unsubscribe: (() => Promise<void>) | undefined;

  constructor(private readonly redis: RedisService) {}

  async onModuleInit(): Promise<void> {
    this.unsubscribe = await this.redis.subscribe(CHANNEL, (message) => {
      if (isAccessChange(message)) this.deliver(message);
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.unsubscribe?.();
  }

  /** @returns call it to listen no longer */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Call once the change is committed. This process knows when the call returns its promise, the others when it settles. */
  async announce(change: AccessChange): Promise<void> {
    this.deliver(change);
    try {
      await this.redis.publish(CHANNEL, change);
    } catch (error) {
      // The change itself stands; other processes notice it when their copy expires, seconds later.
      this.logger.warn(`Could not announce an access change: ${String(error)}`);
    }
  }

  private deliver(change: AccessChange): void {
    for (const listener of this.listeners) listener(change);
  }
}

function isAccessChange(message: unknown): message is AccessChange {
  if (typeof message !== 'object' || message === null) return false;
  const { sessionId, apiKeyId, userId } = message as Record<string, unknown>;
  return [sessionId, apiKeyId, userId].some((id) => typeof id === 'string');
}
