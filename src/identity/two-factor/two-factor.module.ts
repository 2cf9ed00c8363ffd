import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module';
import { UsersModule } from '../users/users.module';
import { Reauthentication, TwoFactorAttempts } from './reauthentication';
import { SecondFactor } from './second-factor';
import { TwoFactorController } from './two-factor.controller';
import { TwoFactorService } from './two-factor.service';
import { RecoveryCodesRepository, TwoFactorsRepository } from './two-factors.repository';

/** One-time codes as a second factor of local users. */
@Module({
  imports: [UsersModule, SessionsModule],
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
