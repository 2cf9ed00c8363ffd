import { Module } from '@nestjs/common';
import { AnalyticsModule } from './analytics/analytics.module';
import { DashboardModule } from './dashboard/dashboard.module';
import { NewslettersModule } from './newsletters/newsletters.module';
import { QuotaModule } from './quota/quota.module';
import { RulesModule } from './rules/rules.module';

/** The features of `cleanup`: rules, newsletters, and figures about a mailbox. */
@Module({
  imports: [RulesModule, NewslettersModule, DashboardModule, AnalyticsModule, QuotaModule],
})
export class CleanupModule {}
