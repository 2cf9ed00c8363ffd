import { Module } from '@nestjs/common';
import { collectDefaultMetrics, register } from 'prom-client';
import { MailsModule } from '../../archive/mails/mails.module';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';
import { MetricsController } from './metrics.controller';

@Module({
  imports: [MailsModule],
  controllers: [HealthController, MetricsController],
  providers: [HealthService],
})
export class HealthModule {
  constructor() {
    if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
  }
}
