import { Module } from '@nestjs/common';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { AuthModule } from './auth/auth.module';
import { OidcModule } from './oidc/oidc.module';
import { PasskeysModule } from './passkeys/passkeys.module';
import { SessionsModule } from './sessions/sessions.module';
import { TwoFactorModule } from './two-factor/two-factor.module';
import { UsersModule } from './users/users.module';

/** The features of `identity`: users, sign-in, sessions and keys. */
@Module({
  imports: [
    SessionsModule,
    UsersModule,
    ApiKeysModule,
    TwoFactorModule,
    AuthModule,
    OidcModule,
    PasskeysModule,
  ],
})
export class IdentityModule {}
