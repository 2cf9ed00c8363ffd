import { Module } from '@nestjs/common';
import { ApiKeyVerifier } from '../access/api-key-verifier.port';
import { AccessChangesModule } from '../sessions/access-changes.module';
import { ApiKeyCache } from './api-key-cache';
import { ApiKeyRefusals, ApiKeyUsage } from './api-key-usage';
import { ApiKeyStrategy } from './api-key.strategy';
import { ApiKeysRepository } from './api-keys.repository';

/** What every request with an API key needs; the routes that make and revoke keys are next door. */
@Module({
  imports: [AccessChangesModule],
  providers: [
    ApiKeyRefusals,
    ApiKeysRepository,
    ApiKeyUsage,
    ApiKeyCache,
    { provide: ApiKeyVerifier, useClass: ApiKeyStrategy },
  ],
  exports: [ApiKeysRepository, ApiKeyVerifier, ApiKeyCache],
})
export class ApiKeyVerificationModule {}
