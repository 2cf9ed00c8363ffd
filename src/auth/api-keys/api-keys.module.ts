import { Module } from '@nestjs/common';

/** Bearer tokens for programs. */
@Module({})
export class ApiKeysModule {}
