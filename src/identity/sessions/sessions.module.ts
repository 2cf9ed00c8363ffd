import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { createSecretKey } from 'node:crypto';
import { AppConfig } from '../../platform/config/app-config';
import { AccessChanges } from './access-changes';
import { SessionCache } from './session-cache';
import { ACCESS_TOKEN_SECONDS, SessionTokens } from './session-tokens';
import { SessionsController } from './sessions.controller';
import { SessionsCron } from './sessions.cron';
import { RefreshTokensRepository, SessionsRepository } from './sessions.repository';
import { SessionsService } from './sessions.service';

/** Sessions and their tokens; knows nothing of passwords. */
@Module({
  imports: [
    JwtModule.registerAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => {
        // A bare string is tried as a public key first, on every single request; a key object is not.
        const key = createSecretKey(config.secrets.jwtSecret, 'utf8');
        return {
          secretOrKeyProvider: () => key,
          signOptions: { algorithm: 'HS256', expiresIn: ACCESS_TOKEN_SECONDS },
          verifyOptions: { algorithms: ['HS256'] },
        };
      },
    }),
  ],
  controllers: [SessionsController],
  providers: [
    AccessChanges,
    RefreshTokensRepository,
    SessionCache,
    SessionTokens,
    SessionsCron,
    SessionsRepository,
    SessionsService,
  ],
  exports: [AccessChanges, SessionCache, SessionTokens, SessionsService],
})
export class SessionsModule {}
