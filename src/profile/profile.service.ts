import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config';
import { StorageQuotasService } from '../archive/storage-quotas.service';
import { MailboxConnector } from '../mail-provider/mailbox-connector.port';
import { toMailboxAccountResponse } from '../mailbox/dto/mailbox-accounts.response';
import { MailboxAccountsService } from '../mailbox/mailbox-accounts.service';
import { toUserResponse } from '../users/dto/user.response';
import { UsersService } from '../users/users.service';
import type { AuthConfigResponse, MeResponse } from './dto/profile.response';

/** What clients need before sign-in, and about the signed-in user. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly users: UsersService,
    private readonly accounts: MailboxAccountsService,
    private readonly quotas: StorageQuotasService,
    private readonly connector: MailboxConnector,
    private readonly config: AppConfig,
  ) {}

  publicConfig(): AuthConfigResponse {
    const { oidc, http } = this.config;
    return {
      allowRegistration: this.config.registration.open,
      providers: [...this.connector.available],
      oidc: oidc && { name: oidc.name, login_url: `${http.appUrl}/api/auth/oidc/login` },
    };
  }

  async me(userId: string): Promise<MeResponse> {
    const [user, accounts, usage] = await Promise.all([
      this.users.get(userId),
      this.accounts.listOf(userId),
      this.quotas.usage(userId),
    ]);
    const now = new Date();
    return {
      user: toUserResponse(user),
      mailboxAccounts: accounts.map((account) => toMailboxAccountResponse(account, now)),
      storageUsedBytes: usage.usedBytes,
    };
  }
}
