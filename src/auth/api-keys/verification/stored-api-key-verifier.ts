import { Injectable } from '@nestjs/common';
import { ApiKeyVerifier } from '../../../common/auth/api-key-verifier.port';
import type { ApiKeyUser } from '../../../common/auth/authenticated-user';
import { hashApiKey, isApiKey } from '../api-key-text';
import { ApiKeyRefusals } from './api-key-refusals';
import { ApiKeyUses } from './api-key-uses';
import { LiveApiKeys } from './live-api-keys';

@Injectable()
export class StoredApiKeyVerifier extends ApiKeyVerifier {
  constructor(
    private readonly liveKeys: LiveApiKeys,
    private readonly uses: ApiKeyUses,
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
