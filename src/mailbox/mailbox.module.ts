import { Global, Module } from '@nestjs/common';
import { AccountOwnership } from '../access/account-ownership.port';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { ProviderCredentials } from '../mail-provider/provider-credentials.port';
import { SessionsModule } from '../sessions/sessions.module';
import { UsersModule } from '../users/users.module';
import { AccountMaintenance } from './account-maintenance';
import { AccountUpdates } from './account-updates';
import { AccountMaintenanceRepository } from './account-maintenance.repository';
import { DatabaseAccountOwnership } from './database-account-ownership';
import { LabelNames } from './label-names';
import { LabelNamesRepository } from './label-names.repository';
import { LabelsController } from './labels.controller';
import { LabelsService } from './labels.service';
import { AccountCredentialsRepository, MailboxAccountsRepository } from './mailbox-accounts.repository';
import { MailboxAccountsController } from './mailbox-accounts.controller';
import { MailboxAccountsService } from './mailbox-accounts.service';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';
import { SealedCredentials } from './sealed-credentials';

/** Connected mailboxes with their credentials, messages and labels. Global: it implements ports of earlier folders. */
@Global()
@Module({
  imports: [MailProviderModule, SessionsModule, UsersModule],
  controllers: [MailboxAccountsController, MessagesController, LabelsController],
  providers: [
    AccountMaintenance,
    AccountMaintenanceRepository,
    AccountUpdates,
    AccountCredentialsRepository,
    LabelNames,
    LabelNamesRepository,
    LabelsService,
    MailboxAccountsRepository,
    MailboxAccountsService,
    MessagesService,
    SealedCredentials,
    { provide: ProviderCredentials, useExisting: SealedCredentials },
    { provide: AccountOwnership, useClass: DatabaseAccountOwnership },
  ],
  exports: [
    AccountMaintenance,
    AccountOwnership,
    AccountUpdates,
    LabelNames,
    MailboxAccountsService,
    ProviderCredentials,
  ],
})
export class MailboxModule {}
