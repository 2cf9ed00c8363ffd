import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/access/access.module';
import { ProvidersModule } from '../../providers/providers.module';
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

/** Connected mailboxes with their credentials, messages and labels. */
@Module({
  imports: [AccessModule, ProvidersModule, SessionsModule, UsersModule],
  controllers: [MailboxAccountsController, MessagesController, LabelsController],
  providers: [
    AccountMaintenance,
    AccountMaintenanceRepository,
    AccountUpdates,
    AccountCredentialsRepository,
    DatabaseAccountOwnership,
    LabelNames,
    LabelNamesRepository,
    LabelsService,
    MailboxAccountsRepository,
    MailboxAccountsService,
    MessagesService,
    SealedCredentials,
  ],
  exports: [
    AccountMaintenance,
    AccountUpdates,
    DatabaseAccountOwnership,
    LabelNames,
    MailboxAccountsService,
    SealedCredentials,
  ],
})
export class MessagesModule {}
