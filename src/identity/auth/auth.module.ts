import { Global, Module } from '@nestjs/common';
import { AccessRevocation } from '../../platform/access/access-revocation.port';
import { KnownCallers } from '../../platform/access/known-callers.port';
import { ApiKeysModule } from '../api-keys/api-keys.module';
import { JwtStrategy } from '../sessions/jwt.strategy';
import { SessionsModule } from '../sessions/sessions.module';
import { TwoFactorModule } from '../two-factor/two-factor.module';
import { UsersModule } from '../users/users.module';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { InvitationsController } from './invitations.controller';
import { InvitationsRepository } from './invitations.repository';
import { InvitationsService } from './invitations.service';
import { PasswordResetsController } from './password-resets.controller';
import { PasswordResetsRepository } from './password-resets.repository';
import { PasswordResetsService } from './password-resets.service';
import { PasswordService } from './password.service';
import { SessionTransport } from './session-transport';
import { LoginAttempts, SignInService } from './sign-in.service';
import { StreamRevocation } from './stream-revocation';

/** Registration and sign-in. Global: event streams of every feature end when their caller's access does, and guards know callers. */
@Global()
@Module({
  imports: [ApiKeysModule, SessionsModule, TwoFactorModule, UsersModule],
  controllers: [AuthController, InvitationsController, PasswordResetsController],
  providers: [
    AuthService,
    InvitationsRepository,
    InvitationsService,
    JwtStrategy,
    LoginAttempts,
    PasswordResetsRepository,
    PasswordResetsService,
    PasswordService,
    SessionTransport,
    SignInService,
    { provide: AccessRevocation, useClass: StreamRevocation },
    { provide: KnownCallers, useExisting: JwtStrategy },
  ],
  exports: [
    AccessRevocation,
    InvitationsService,
    KnownCallers,
    LoginAttempts,
    PasswordResetsService,
    SessionTransport,
    SignInService,
  ],
})
export class AuthModule {}
