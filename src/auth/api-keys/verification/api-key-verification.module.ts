import { Module } from '@nestjs/common';
import { ApiKeyVerifier } from '../../../common/auth/api-key-verifier.port';
import { AccessChangesModule } from '../../access/access-changes.module';
import { ApiKeysRepository } from '../api-keys.repository';
import { ApiKeyRefusals } from './api-key-refusals';
import { ApiKeyUses } from './api-key-uses';
import { LiveApiKeys } from './live-api-keys';
import { StoredApiKeyVerifier } from './stored-api-key-verifier';

/** What every request with an API key needs; the routes that make and revoke keys are next door. */
@Module({
  imports: [AccessChangesModule],
  providers: [
    ApiKeyRefusals,
    ApiKeysRepository,
    ApiKeyUses,
    LiveApiKeys,
    { provide: ApiKeyVerifier, useClass: StoredApiKeyVerifier },
  ],
  exports: [ApiKeysRepository, ApiKeyVerifier, LiveApiKeys],
})
export class ApiKeyVerificationModule {}
