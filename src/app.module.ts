import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { ArchiveEncryptionModule } from './archive-encryption/archive-encryption.module';
import { ArchiveModule } from './archive/archive.module';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { AuthModule } from './auth/auth.module';
import { AccessModule } from './access/access.module';
import { CryptoModule } from './common/crypto/crypto.module';
import { DatabaseModule } from './common/database/database.module';
import { EgressModule } from './common/egress/egress.module';
import { ProblemFilter } from './common/http/problem.filter';
import { RouteTable } from './common/http/route-table';
import { validationPipe } from './common/validation/validation.pipe';
import { RateLimitModule } from './common/rate-limit/rate-limit.module';
import { RedisModule } from './common/redis/redis.module';
import { WorkersModule } from './common/workers/workers.module';
import { AppConfig } from './config/app-config';
import { ConfigModule } from './config/config.module';
import { ContinuousArchivingModule } from './continuous-archiving/continuous-archiving.module';
import { ExportModule } from './export/export.module';
import { HealthModule } from './health/health.module';
import { ImportsModule } from './imports/imports.module';
import { IntegrityModule } from './integrity/integrity.module';
import { JobsModule } from './jobs/jobs.module';
import { MailboxConnectModule } from './mailbox-connect/mailbox-connect.module';
import { AccountRemovalModule } from './account-removal/account-removal.module';
import { BulkModule } from './bulk/bulk.module';
import { LedgerModule } from './ledger/ledger.module';
import { LiveUpdatesModule } from './live-updates/live-updates.module';
import { MailboxModule } from './mailbox/mailbox.module';
import { MailboxWatchModule } from './mailbox-watch/mailbox-watch.module';
import { ENTITIES, MIGRATIONS } from './schema';
import { RestoreModule } from './restore/restore.module';
import { RetentionModule } from './retention/retention.module';
import { SelectionsModule } from './selections/selections.module';
import { SessionsModule } from './sessions/sessions.module';
import { StorageModule } from './storage/storage.module';
import { SavedSearchesModule } from './saved-searches/saved-searches.module';
import { RulesModule } from './rules/rules.module';
import { NewslettersModule } from './newsletters/newsletters.module';
import { DashboardModule } from './dashboard/dashboard.module';
import { AnalyticsModule } from './analytics/analytics.module';
import { AttachmentsModule } from './attachments/attachments.module';
import { PiiModule } from './pii/pii.module';
import { SafeHtmlModule } from './safe-html/safe-html.module';
import { TrackingModule } from './tracking/tracking.module';
import { OidcModule } from './oidc/oidc.module';
import { ProfileModule } from './profile/profile.module';
import { TwoFactorModule } from './two-factor/two-factor.module';
import { QuotaModule } from './quota/quota.module';
import { OffloadModule } from './offload/offload.module';
import { NotificationsModule } from './notifications/notifications.module';
import { AdminModule } from './admin/admin.module';
import { AuditModule } from './audit/audit.module';
import { CoverageModule } from './coverage/coverage.module';
import { EventsModule } from './events/events.module';
import { ReportsModule } from './reports/reports.module';
import { UserDeletionModule } from './user-deletion/user-deletion.module';
import { UsersModule } from './users/users.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The platform and the list of features. */
@Module({})
export class AppModule {
  static with(config: AppConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        DatabaseModule.forRoot({ entities: ENTITIES, migrations: MIGRATIONS }),
        RedisModule,
        CryptoModule,
        EgressModule,
        RateLimitModule,
        AccessModule,
        WorkersModule,
        ScheduleModule.forRoot(),
        HealthModule,
        SessionsModule,
        UsersModule,
        ApiKeysModule,
        TwoFactorModule,
        AuthModule,
        OidcModule,
        ProfileModule,
        MailboxModule,
        LiveUpdatesModule,
        MailboxConnectModule,
        SelectionsModule,
        BulkModule,
        JobsModule,
        ArchiveModule,
        LedgerModule,
        ContinuousArchivingModule,
        MailboxWatchModule,
        ExportModule,
        StorageModule,
        ImportsModule,
        RestoreModule,
        RetentionModule,
        IntegrityModule,
        CoverageModule,
        SavedSearchesModule,
        RulesModule,
        OffloadModule,
        NewslettersModule,
        DashboardModule,
        AnalyticsModule,
        AttachmentsModule,
        TrackingModule,
        PiiModule,
        ArchiveEncryptionModule,
        SafeHtmlModule,
        QuotaModule,
        NotificationsModule,
        EventsModule,
        WebhooksModule,
        ReportsModule,
        AdminModule,
        AccountRemovalModule,
        UserDeletionModule,
        AuditModule,
      ],
      providers: [
        RouteTable,
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useValue: validationPipe },
      ],
    };
  }
}
