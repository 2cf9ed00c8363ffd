import { Module } from '@nestjs/common';

/** How long archived mail is kept. */
@Module({})
export class RetentionModule {}
