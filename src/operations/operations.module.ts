import { Module } from '@nestjs/common';
import { AccountRemovalModule } from './account-deletion/account-removal.module';
import { AdminModule } from './admin/admin.module';
import { HealthModule } from './health/health.module';
import { ProfileModule } from './profile/profile.module';
import { ReportsModule } from './reports/reports.module';
import { UserDeletionModule } from './user-deletion/user-deletion.module';

/** The features of `operations`: administration, backup, health, operators' commands, and the deletion of accounts and users. */
@Module({
  imports: [
    HealthModule,
    ProfileModule,
    ReportsModule,
    AdminModule,
    AccountRemovalModule,
    UserDeletionModule,
  ],
})
export class OperationsModule {}
