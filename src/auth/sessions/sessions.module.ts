import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { createSecretKey } from 'node:crypto';
import { SessionEndings } from '../../common/auth/session-endings.port';
import { SessionVerifier } from '../../common/auth/session-verifier.port';
import { AppConfig } from '../../config/app-config';
import { AccessChangesModule } from '../access/access-changes.module';
import { AnnouncedSessionEndings } from '../access/announced-session-endings';
import { ApiKeyVerificationModule } from '../api-keys/verification/api-key-verification.module';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from './access-tokens';
import { LiveSessions } from './live-sessions';
import { RefreshTokensRepository } from './refresh-tokens.repository';
import { SessionsCron } from './sessions.cron';
import { SessionsRepository } from './sessions.repository';
import { SessionsService } from './sessions.service';
import { TokenSessionVerifier } from './token-session-verifier';

/** Sessions and their tokens; knows nothing of passwords. */
@Module({
  imports: [
    AccessChangesModule,
    ApiKeyVerificationModule,
    JwtModule.registerAsync({
      inject: [AppConfig],
      useFactory: (config: AppConfig) => {
        // As a key object: a bare string is tried as a public key first, on every single request.
        const key = createSecretKey(config.secrets.jwtSecret, 'utf8');
        return {
          secretOrKeyProvider: () => key,
          signOptions: { algorithm: 'HS256', expiresIn: ACCESS_TOKEN_SECONDS },
          verifyOptions: { algorithms: ['HS256'] },
        };
      },
    }),
  ],
  providers: [
    AccessTokens,
    LiveSessions,
    RefreshTokensRepository,
    SessionsCron,
    SessionsRepository,
    SessionsService,
    { provide: SessionEndings, useClass: AnnouncedSessionEndings },
    { provide: SessionVerifier, useClass: TokenSessionVerifier },
  ],
  exports: [
    AccessChangesModule,
    AccessTokens,
    ApiKeyVerificationModule,
    SessionEndings,
    SessionsService,
    SessionVerifier,
  ],
})
export class SessionsModule {}
