import { Injectable } from '@nestjs/common';
import { ApiKeyVerifier } from '../access/api-key-verifier.port';
import type { ApiKeyUser } from '../access/authenticated-user';
import { ApiKeyCache } from './api-key-cache';
import { hashApiKey, isApiKey } from './api-key-format';
import { ApiKeyRefusals, ApiKeyUsage } from './api-key-usage';

@Injectable()
export class ApiKeyStrategy extends ApiKeyVerifier {
  constructor(
    private readonly liveKeys: ApiKeyCache,
    private readonly uses: ApiKeyUsage,
    private readonly refusals: ApiKeyRefusals,
  ) {
    super();
  }

  async verify(key: string): Promise<ApiKeyUser | null> {
    if (!isApiKey(key)) return null;
    const live = await this.liveKeys.find(hashApiKey(key));
    if (!live) return null;
    const { keyId, userId, email, role, scope, accountIds, expiresAt } = live;
    this.uses.note(keyId);
    return { id: userId, email, role, apiKey: { id: keyId, scope, accountIds, expiresAt } };
  }

  noteRefusal(user: ApiKeyUser, code: string): void {
    this.refusals.note(user, code);
  }
}
