import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/accounts/mailbox-accounts.module';
import { ProvidersModule } from '../mailbox/providers/providers.module';
import { UsersModule } from '../users/users.module';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { PasswordsModule } from './passwords/passwords.module';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { OidcModule } from './oidc/oidc.module';
import { TwoFactorModule } from './two-factor/two-factor.module';
import { ProfileService } from './profile.service';
import { SessionsModule } from './sessions/sessions.module';
import { SignInModule } from './sign-in/sign-in.module';

@Module({
  imports: [
    UsersModule,
    SessionsModule,
    SignInModule,
    PasswordsModule,
    MailboxAccountsModule,
    ProvidersModule,
    TwoFactorModule,
    ApiKeysModule,
    OidcModule,
  ],
  controllers: [AuthController],
  providers: [AuthService, ProfileService],
  exports: [SessionsModule],
})
export class AuthModule {}
