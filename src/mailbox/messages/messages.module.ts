import { Global, Module } from '@nestjs/common';
import { AccountOwnership } from '../../platform/access/account-ownership.port';
import { ProvidersModule } from '../../providers/providers.module';
import { ProviderCredentials } from '../../providers/port/provider-credentials.port';
import { SessionsModule } from '../../identity/sessions/sessions.module';
import { UsersModule } from '../../identity/users/users.module';
import { AccountMaintenance } from '../accounts/account-maintenance';
import { AccountUpdates } from '../accounts/account-updates';
import { AccountMaintenanceRepository } from '../accounts/account-maintenance.repository';
import { DatabaseAccountOwnership } from '../accounts/database-account-ownership';
import { LabelNames } from '../labels/label-names';
import { LabelNamesRepository } from '../labels/label-names.repository';
import { LabelsController } from '../labels/labels.controller';
import { LabelsService } from '../labels/labels.service';
import {
  AccountCredentialsRepository,
  MailboxAccountsRepository,
} from '../accounts/mailbox-accounts.repository';
import { MailboxAccountsController } from '../accounts/mailbox-accounts.controller';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { MessagesController } from './messages.controller';
import { MessagesService } from './messages.service';
import { SealedCredentials } from '../accounts/sealed-credentials';

/**
 * Connected mailboxes with their credentials, messages and labels. The module is global, since it implements ports of
 * lower groups.
 */
@Global()
@Module({
  imports: [ProvidersModule, SessionsModule, UsersModule],
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
export class MessagesModule {}
