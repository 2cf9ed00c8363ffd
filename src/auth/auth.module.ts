import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../mailbox/mailbox-accounts.module';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { UsersModule } from '../users/users.module';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { PasswordsModule } from '../users/passwords.module';
import { ApiKeysModule } from '../api-keys/api-keys.module';
import { OidcModule } from '../oidc/oidc.module';
import { TwoFactorModule } from '../two-factor/two-factor.module';
import { ProfileService } from '../profile/profile.service';
import { SessionsModule } from '../sessions/sessions.module';
import { SignInModule } from './sign-in.module';

@Module({
  imports: [
    UsersModule,
    SessionsModule,
    SignInModule,
    PasswordsModule,
    MailboxAccountsModule,
    MailProviderModule,
    TwoFactorModule,
    ApiKeysModule,
    OidcModule,
  ],
  controllers: [AuthController],
  providers: [AuthService, ProfileService],
  exports: [SessionsModule],
})
export class AuthModule {}
