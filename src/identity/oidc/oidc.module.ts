import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { SessionsModule } from '../sessions/sessions.module';
import { TwoFactorModule } from '../two-factor/two-factor.module';
import { UsersModule } from '../users/users.module';
import { IdentityLinkService } from './identity-link.service';
import { OidcRedirects } from './oidc-redirects';
import { OidcStateCookie, OidcStates } from './oidc-states';
import { OidcController } from './oidc.controller';
import { OidcService } from './oidc.service';
import { OidcTimings, OpenIdProvider } from './openid-provider';
import { UserIdentitiesRepository } from './user-identities.repository';

/** Sign-in through an OpenID Connect provider. */
@Module({
  imports: [UsersModule, SessionsModule, AuthModule, TwoFactorModule],
  controllers: [OidcController],
  providers: [
    IdentityLinkService,
    OidcStateCookie,
    OidcStates,
    OidcRedirects,
    OidcService,
    OidcTimings,
    OpenIdProvider,
    UserIdentitiesRepository,
  ],
})
export class OidcModule {}
