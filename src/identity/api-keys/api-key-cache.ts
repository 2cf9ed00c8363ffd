import { Injectable, OnModuleInit } from '@nestjs/common';
import { AccessChanges } from '../sessions/access-changes';
import { RevocableCache } from '../sessions/revocable-cache';
import { ApiKeysRepository, LiveApiKey } from './api-keys.repository';

/** Caches live API keys by the hexadecimal form of their hash. */
@Injectable()
export class ApiKeyCache implements OnModuleInit {
  private readonly cache: RevocableCache<LiveApiKey>;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly accessChanges: AccessChanges,
  ) {
    this.cache = new RevocableCache({
      read: (hash) => keys.findLive(Buffer.from(hash, 'hex')),
      concerns: ({ keyId, userId }, change) =>
        'userId' in change ? change.userId === userId : 'apiKeyId' in change && change.apiKeyId === keyId,
    });
  }

  onModuleInit(): void {
    this.cache.follow(this.accessChanges);
  }

  /** null when no such key is alive: at most two seconds behind the database, and not at all behind its expiry. */
  async find(keyHash: Buffer): Promise<LiveApiKey | null> {
    const key = await this.cache.find(keyHash.toString('hex'));
    return key && !hasExpired(key) ? key : null;
  }

  /** Reads the database, for event streams that check again now and then. */
  isLive(keyId: string): Promise<boolean> {
    return this.keys.isLive(keyId);
  }
}

const hasExpired = ({ expiresAt }: LiveApiKey): boolean =>
  expiresAt !== null && expiresAt.getTime() <= Date.now();
