import { Global, Module } from '@nestjs/common';
import { AccountOwnership } from '../access/account-ownership.port';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { ProviderCredentials } from '../mail-provider/provider-credentials.port';
import { UsersModule } from '../users/users.module';
import { AccountMaintenance } from './account-maintenance';
import { AccountMaintenanceRepository } from './account-maintenance.repository';
import { DatabaseAccountOwnership } from './database-account-ownership';
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
  imports: [MailProviderModule, UsersModule],
  controllers: [MailboxAccountsController, MessagesController, LabelsController],
  providers: [
    AccountMaintenance,
    AccountMaintenanceRepository,
    AccountCredentialsRepository,
    LabelsService,
    MailboxAccountsRepository,
    MailboxAccountsService,
    MessagesService,
    SealedCredentials,
    { provide: ProviderCredentials, useExisting: SealedCredentials },
    { provide: AccountOwnership, useClass: DatabaseAccountOwnership },
  ],
  exports: [AccountMaintenance, AccountOwnership, MailboxAccountsService, ProviderCredentials],
})
export class MailboxModule {}
