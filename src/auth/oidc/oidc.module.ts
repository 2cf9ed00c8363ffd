import { Module } from '@nestjs/common';
import { UsersModule } from '../../users/users.module';
import { SessionsModule } from '../sessions/sessions.module';
import { SignInModule } from '../sign-in/sign-in.module';
import { TwoFactorModule } from '../two-factor/two-factor.module';
import { LinkedUsers } from './linked-users';
import { OidcController } from './oidc.controller';
import { OidcCookie } from './oidc-cookie';
import { OidcFlows } from './oidc-flows';
import { OidcLandings } from './oidc-landings';
import { OidcTimings } from './provider/oidc-timings';
import { OidcService } from './oidc.service';
import { OpenIdProvider } from './provider/openid-provider';
import { UserIdentitiesRepository } from './user-identities.repository';

/** Sign-in through an OpenID Connect provider. */
@Module({
  imports: [UsersModule, SessionsModule, SignInModule, TwoFactorModule],
  controllers: [OidcController],
  providers: [
    LinkedUsers,
    OidcCookie,
    OidcFlows,
    OidcLandings,
    OidcService,
    OidcTimings,
    OpenIdProvider,
    UserIdentitiesRepository,
  ],
})
export class OidcModule {}
