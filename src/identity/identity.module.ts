import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { AuthModule } from './auth/auth.module';
import { OidcModule } from './oidc/oidc.module';
import { SessionsModule } from './sessions/sessions.module';
import { TwoFactorModule } from './two-factor/two-factor.module';
import { UsersModule } from './users/users.module';

/** Users, and how people and programs prove who they are. */
@Module({
  imports: [SessionsModule, UsersModule, ApiKeysModule, TwoFactorModule, AuthModule, OidcModule],
})
export class IdentityModule {}
