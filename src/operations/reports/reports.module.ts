import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module';
import { UsersModule } from '../../identity/users/users.module';
import { WeeklyReportsCron } from './weekly-reports.cron';
import { WeeklyReportsRepository } from './weekly-reports.repository';
import { WeeklyReportsService } from './weekly-reports.service';

/** The weekly report. */
@Module({
  imports: [EventsModule, UsersModule],
  providers: [WeeklyReportsService, WeeklyReportsCron, WeeklyReportsRepository],
})
export class ReportsModule {}
