import { Module } from '@nestjs/common';

/** Saved searches. */
@Module({})
export class SavedSearchesModule {}
