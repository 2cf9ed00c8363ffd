import { Module } from '@nestjs/common';
import { WeeklyReportsCron } from './weekly-reports.cron';
import { WeeklyReportsRepository } from './weekly-reports.repository';
import { WeeklyReportsService } from './weekly-reports.service';

/** The weekly report. */
@Module({
  providers: [WeeklyReportsService, WeeklyReportsCron, WeeklyReportsRepository],
})
export class ReportsModule {}
