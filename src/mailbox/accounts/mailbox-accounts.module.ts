import { Module } from '@nestjs/common';
import { SessionsModule } from '../../identity/sessions/sessions.module';
import { UsersModule } from '../../identity/users/users.module';
import { AccountMaintenance } from './account-maintenance';
import { AccountMaintenanceRepository } from './account-maintenance.repository';
import { AccountUpdates } from './account-updates';
import { ArchivesController } from './archives.controller';
import { ArchivesService } from './archives.service';
import { DatabaseAccountOwnership } from './database-account-ownership';
import { MailboxAccountsController } from './mailbox-accounts.controller';
import { AccountCredentialsRepository, MailboxAccountsRepository } from './mailbox-accounts.repository';
import { MailboxAccountsService } from './mailbox-accounts.service';
import { SealedCredentials } from './sealed-credentials';

/** Mailbox accounts, their credentials and their maintenance. */
@Module({
  imports: [SessionsModule, UsersModule],
  controllers: [ArchivesController, MailboxAccountsController],
  providers: [
    AccountMaintenance,
    AccountMaintenanceRepository,
    AccountUpdates,
    AccountCredentialsRepository,
    ArchivesService,
    DatabaseAccountOwnership,
    MailboxAccountsRepository,
    MailboxAccountsService,
    SealedCredentials,
  ],
  exports: [
    AccountMaintenance,
    AccountUpdates,
    DatabaseAccountOwnership,
    MailboxAccountsService,
    SealedCredentials,
  ],
})
export class MailboxAccountsModule {}
