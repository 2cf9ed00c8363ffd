import { Module } from '@nestjs/common';

/** Where users keep their archives. */
@Module({})
export class StorageModule {}
