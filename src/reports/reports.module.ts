import { Module } from '@nestjs/common';
import { ReportedUsersRepository } from './reported-users.repository';
import { WeeklyFiguresRepository } from './weekly-figures.repository';
import { WeeklyReportsCron } from './weekly-reports.cron';
import { WeeklyReports } from './weekly-reports.service';

/** The weekly report. */
@Module({
  providers: [WeeklyReports, WeeklyReportsCron, ReportedUsersRepository, WeeklyFiguresRepository],
})
export class ReportsModule {}
