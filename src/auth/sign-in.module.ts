import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { SessionsModule } from '../sessions/sessions.module';
import { SessionTransport } from './session-transport';
import { SignInService } from './sign-in.service';

/** What every way to sign in ends with: a session, and how it travels. */
@Module({
  imports: [UsersModule, SessionsModule],
  providers: [SignInService, SessionTransport],
  exports: [SignInService, SessionTransport],
})
export class SignInModule {}
