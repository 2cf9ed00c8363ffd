import { Module } from '@nestjs/common';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { QuotaController } from './quota.controller';
import { QuotaCron } from './quota.cron';
import { QuotaService } from './quota.service';

/** Use of the provider quota. */
@Module({
  imports: [MailProviderModule],
  controllers: [QuotaController],
  providers: [QuotaService, QuotaCron],
})
export class QuotaModule {}
