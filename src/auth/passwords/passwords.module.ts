import { Module } from '@nestjs/common';
import { LoginAttempts } from './login-attempts';
import { PasswordHasher } from './password-hasher';

@Module({ providers: [LoginAttempts, PasswordHasher], exports: [LoginAttempts, PasswordHasher] })
export class PasswordsModule {}
