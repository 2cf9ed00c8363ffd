import { Module } from '@nestjs/common';
import { ApiKeyVerifier } from '../access/api-key-verifier.port';
import { SessionsModule } from '../sessions/sessions.module';
import { ApiKeyCache } from './api-key-cache';
import { ApiKeyRefusals, ApiKeyUsage } from './api-key-usage';
import { ApiKeyStrategy } from './api-key.strategy';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysRepository } from './api-keys.repository';
import { ApiKeysService } from './api-keys.service';

/** Bearer tokens for programs. */
@Module({
  imports: [SessionsModule],
  controllers: [ApiKeysController],
  providers: [
    ApiKeyCache,
    ApiKeyRefusals,
    ApiKeysRepository,
    ApiKeysService,
    ApiKeyUsage,
    { provide: ApiKeyVerifier, useClass: ApiKeyStrategy },
  ],
  exports: [ApiKeyCache, ApiKeyVerifier],
})
export class ApiKeysModule {}
