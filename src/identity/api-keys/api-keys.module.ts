import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/access/access.module';
import { SessionsModule } from '../sessions/sessions.module';
import { UsersModule } from '../users/users.module';
import { ApiKeyCache } from './api-key-cache';
import { ApiKeyUsage } from './api-key-usage';
import { ApiKeyStrategy } from './api-key.strategy';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysRepository } from './api-keys.repository';
import { ApiKeysService } from './api-keys.service';

/** Bearer tokens for programs. */
@Module({
  imports: [AccessModule, SessionsModule, UsersModule],
  controllers: [ApiKeysController],
  providers: [ApiKeyCache, ApiKeysRepository, ApiKeysService, ApiKeyStrategy, ApiKeyUsage],
  exports: [ApiKeyCache],
})
export class ApiKeysModule {}
