import { Module } from '@nestjs/common';
import { ProvidersModule } from '../mailbox/providers/providers.module';

/** Use of the provider quota. */
@Module({ imports: [ProvidersModule] })
export class QuotaModule {}
