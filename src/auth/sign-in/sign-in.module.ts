import { Module } from '@nestjs/common';
import { UsersModule } from '../../users/users.module';
import { SessionsModule } from '../sessions/sessions.module';
import { SessionDelivery } from './session-delivery';
import { SignIns } from './sign-ins';

/** What every way to sign in ends with: a session, and how it travels. */
@Module({
  imports: [UsersModule, SessionsModule],
  providers: [SignIns, SessionDelivery],
  exports: [SignIns, SessionDelivery],
})
export class SignInModule {}
