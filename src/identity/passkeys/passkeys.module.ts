import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { TwoFactorModule } from '../two-factor/two-factor.module';
import { UsersModule } from '../users/users.module';
import { PasskeyChallenges } from './passkey-challenges';
import { PasskeySignInService } from './passkey-sign-in.service';
import { PasskeysController } from './passkeys.controller';
import { PasskeysRepository } from './passkeys.repository';
import { PasskeysService } from './passkeys.service';

/** Sign-in with passkeys (WebAuthn). */
@Module({
  imports: [AuthModule, TwoFactorModule, UsersModule],
  controllers: [PasskeysController],
  providers: [PasskeyChallenges, PasskeySignInService, PasskeysRepository, PasskeysService],
})
export class PasskeysModule {}
