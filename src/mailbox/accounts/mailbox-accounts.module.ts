import { Module } from '@nestjs/common';
import { AccountOwnership } from '../../common/auth/account-ownership.port';
import { UsersModule } from '../../users/users.module';
import { ProviderCredentials } from '../providers/provider-credentials.port';
import { AccountChoresRepository } from './chores/account-chores.repository';
import { AccountChores } from './chores/account-chores.service';
import { AccountCredentialsRepository } from './account-credentials.repository';
import { DatabaseAccountOwnership } from './database-account-ownership';
import { MailboxAccountsRepository } from './mailbox-accounts.repository';
import { MailboxAccountsService } from './mailbox-accounts.service';
import { SealedCredentials } from './sealed-credentials';

/** Connected mailboxes and their credentials; routes that need the provider are in `connect/`. */
@Module({
  imports: [UsersModule],
  providers: [
    AccountChores,
    AccountChoresRepository,
    AccountCredentialsRepository,
    MailboxAccountsRepository,
    MailboxAccountsService,
    SealedCredentials,
    { provide: ProviderCredentials, useExisting: SealedCredentials },
    { provide: AccountOwnership, useClass: DatabaseAccountOwnership },
  ],
  exports: [AccountChores, AccountOwnership, MailboxAccountsService, ProviderCredentials],
})
export class MailboxAccountsModule {}
