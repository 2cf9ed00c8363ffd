import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { WeeklyReportsService } from './weekly-reports.service';

/**
 * Sends the weekly reports on Mondays at 08:00 UTC, and every five minutes to users who have not had theirs, for example
 * because the service was down.
 */
@Injectable()
export class WeeklyReportsCron {
  private readonly logger = new Logger(WeeklyReportsCron.name);

  constructor(private readonly reports: WeeklyReportsService) {}

  @Cron('*/5 * * * *', { name: 'send-weekly-reports', timeZone: 'UTC', waitForCompletion: true })
  async send(): Promise<void> {
    const sent = await this.reports.send();
    if (sent > 0) this.logger.log(`Sent the weekly report to ${sent} users`);
  }
}
