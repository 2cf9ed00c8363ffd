import { Module } from '@nestjs/common';
import { UsersModule } from '../../users/users.module';
import { PasswordsModule } from '../passwords/passwords.module';
import { SessionsModule } from '../sessions/sessions.module';
import { Reauthentication } from './reauthentication';
import { RecoveryCodesRepository } from './recovery-codes.repository';
import { SecondFactor } from './second-factor';
import { TwoFactorAttempts } from './two-factor-attempts';
import { TwoFactorController } from './two-factor.controller';
import { TwoFactorService } from './two-factor.service';
import { TwoFactorsRepository } from './two-factors.repository';

/** One-time codes as a second factor of local users. */
@Module({
  imports: [UsersModule, SessionsModule, PasswordsModule],
  controllers: [TwoFactorController],
  providers: [
    Reauthentication,
    RecoveryCodesRepository,
    SecondFactor,
    TwoFactorAttempts,
    TwoFactorService,
    TwoFactorsRepository,
  ],
  exports: [Reauthentication, SecondFactor, TwoFactorService],
})
export class TwoFactorModule {}
