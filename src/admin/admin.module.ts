import { Module } from '@nestjs/common';

/** What administrators see and do. */
@Module({})
export class AdminModule {}
