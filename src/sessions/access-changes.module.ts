import { Module } from '@nestjs/common';
import { AccessChanges } from './access-changes';

/** The news of who may no longer do what. */
@Module({ providers: [AccessChanges], exports: [AccessChanges] })
export class AccessChangesModule {}
