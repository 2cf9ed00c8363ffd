import { Module } from '@nestjs/common';
import { LoginAttempts } from '../auth/sign-in.service';
import { PasswordHasher } from './password-hasher';

@Module({ providers: [LoginAttempts, PasswordHasher], exports: [LoginAttempts, PasswordHasher] })
export class PasswordsModule {}
