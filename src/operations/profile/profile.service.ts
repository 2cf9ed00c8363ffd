import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box';
import { AppConfig } from '../../platform/config/app-config';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { IMAP_PROVIDER } from '../../mailbox/connect/imap/imap-connect.service';
import { statusWithCredentials } from '../../mailbox/accounts/sealed-credentials';
import { MailboxConnector } from '../../providers/port/mailbox-connector.port';
import { AuthConfigResponse, MeResponse, toMeResponse } from './dto/profile.response';
import { DisplayPreferences } from './display-preferences.entity';
import { DisplayPreferencesRepository } from './display-preferences.repository';
import { type ProfileAccount, ProfileRepository } from './profile.repository';
import { toUserResponse, UserResponse } from '../../identity/users/dto/user.response';
import { relyingPartyOf } from '../../identity/passkeys/relying-party';
import { UsersService } from '../../identity/users/users.service';
import { SERVICE_VERSION } from '../../version';

/** Sign-in options, and the profile of the signed-in user. */
@Injectable()
export class ProfileService {
  constructor(
    private readonly profiles: ProfileRepository,
    private readonly displayPreferences: DisplayPreferencesRepository,
    private readonly users: UsersService,
    private readonly connector: MailboxConnector,
    private readonly secretBox: SecretBox,
    private readonly config: AppConfig,
  ) {}

  async getPublicConfig(): Promise<AuthConfigResponse> {
    const { oidc, http, storage } = this.config;
    return {
      allowRegistration: this.config.registration.open,
      providers: [...this.connector.available, IMAP_PROVIDER],
      oidc: oidc && { name: oidc.name, login_url: `${http.appUrl}/api/auth/oidc/login` },
      passkeys: relyingPartyOf(http.appUrl) !== null,
      setupRequired: !(await this.profiles.hasUsers()),
      appUrl: http.appUrl,
      version: SERVICE_VERSION,
      sandbox: this.config.sandbox.enabled,
      maxUploadBytes: storage.maxUploadBytes,
    };
  }

  /** @throws ResourceNotFound */
  async getMe(userId: string): Promise<MeResponse> {
    const profile = await this.profiles.find(userId);
    if (!profile) throw new ResourceNotFound('user');
    const accounts = profile.accounts.map((account) => this.addCredentialStatus(account));
    return toMeResponse({ ...profile, accounts }, new Date());
  }

  /** @throws ResourceNotFound, UserBeingDeleted */
  async updateMe(userId: string, changes: { readonly name?: string | null }): Promise<UserResponse> {
    return toUserResponse(await this.users.update(userId, changes));
  }

  getPreferences(userId: string): Promise<DisplayPreferences> {
    return this.displayPreferences.find(userId);
  }

  /** @param changes at least one; null follows the browser */
  changePreferences(userId: string, changes: Partial<DisplayPreferences>): Promise<DisplayPreferences> {
    return this.displayPreferences.change(userId, changes);
  }

  /** The account with the status its credentials allow. */
  private addCredentialStatus(account: ProfileAccount): ProfileAccount {
    const { account_id: id, status, sealed_credentials: sealedCredentials } = account;
    return { ...account, status: statusWithCredentials({ id, status, sealedCredentials }, this.secretBox) };
  }
}
