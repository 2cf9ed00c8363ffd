import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/access/access.module';
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

/** Registration and sign-in. */
@Module({
  imports: [AccessModule, ApiKeysModule, SessionsModule, TwoFactorModule, UsersModule],
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
    StreamRevocation,
  ],
  exports: [
    InvitationsService,
    JwtStrategy,
    LoginAttempts,
    PasswordResetsService,
    SessionTransport,
    SignInService,
    StreamRevocation,
  ],
})
export class AuthModule {}
