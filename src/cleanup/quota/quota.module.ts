import { Module } from '@nestjs/common';
import { ProvidersModule } from '../../providers/providers.module';
import { QuotaController } from './quota.controller';
import { QuotaCron } from './quota.cron';
import { QuotaService } from './quota.service';

/** Use of the provider quota. */
@Module({
  imports: [ProvidersModule],
  controllers: [QuotaController],
  providers: [QuotaService, QuotaCron],
})
export class QuotaModule {}
