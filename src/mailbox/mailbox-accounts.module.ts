import { Global, Module } from '@nestjs/common';
import { AccountOwnership } from '../access/account-ownership.port';
import { ProviderCredentials } from '../mail-provider/provider-credentials.port';
import { UsersModule } from '../users/users.module';
import { AccountMaintenance } from './account-maintenance';
import { AccountMaintenanceRepository } from './account-maintenance.repository';
import { DatabaseAccountOwnership } from './database-account-ownership';
import { AccountCredentialsRepository, MailboxAccountsRepository } from './mailbox-accounts.repository';
import { MailboxAccountsService } from './mailbox-accounts.service';
import { SealedCredentials } from './sealed-credentials';

/** Connected mailboxes and their credentials. Global: the account guard, jobs and API keys ask who owns an account. */
@Global()
@Module({
  imports: [UsersModule],
  providers: [
    AccountMaintenance,
    AccountMaintenanceRepository,
    AccountCredentialsRepository,
    MailboxAccountsRepository,
    MailboxAccountsService,
    SealedCredentials,
    { provide: ProviderCredentials, useExisting: SealedCredentials },
    { provide: AccountOwnership, useClass: DatabaseAccountOwnership },
  ],
  exports: [AccountMaintenance, AccountOwnership, MailboxAccountsService, ProviderCredentials],
})
export class MailboxAccountsModule {}
