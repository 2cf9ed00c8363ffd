import { Module } from '@nestjs/common';

/** One-time codes as a second factor of local users. */
@Module({})
export class TwoFactorModule {}
