import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import passport, { Strategy, StrategyCreated } from 'passport';
import type { ApiKeyUser } from '../../platform/access/authenticated-user';
import { StrategyNames } from '../../platform/access/guards/strategy-names';
import { bearerTokenOf } from '../../platform/http/request-credentials';
import { ApiKeyCache } from './api-key-cache';
import { hashApiKey, isApiKey } from './api-key-format';
import { ApiKeyUsage } from './api-key-usage';

/** Signs programs in by the API key of the `Authorization` header, and records that the key was used. */
@Injectable()
export class ApiKeyStrategy extends Strategy {
  constructor(
    names: StrategyNames,
    private readonly keys: ApiKeyCache,
    private readonly usage: ApiKeyUsage,
  ) {
    super();
    passport.use(names.apiKey, this);
  }

  override authenticate(this: StrategyCreated<this>, request: Request): void {
    this.validate(bearerTokenOf(request))
      .then((user) => (user ? this.success(user) : this.fail()))
      .catch((error: unknown) => this.error(error));
  }

  /** @returns null when the key is missing, malformed, unknown, revoked or expired, or its user is no longer active */
  async validate(key: string | undefined): Promise<ApiKeyUser | null> {
    if (key === undefined || !isApiKey(key)) return null;
    const live = await this.keys.find(hashApiKey(key));
    if (!live) return null;
    const { keyId, userId, email, role, scope, accountIds, expiresAt } = live;
    this.usage.record(keyId);
    return { id: userId, email, role, apiKey: { id: keyId, scope, accountIds, expiresAt } };
  }
}
