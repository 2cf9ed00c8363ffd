import { Injectable, Logger } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '../common/crypto/secret-box';
import { OAuthCredentials, ProviderCredentials } from '../mail-provider/provider-credentials.port';
import { MailboxDisconnected, ReauthRequired } from '../mail-provider/mail-provider.errors';
import { AccountUpdates } from './account-updates';
import { AccountCredentialsRepository } from './mailbox-accounts.repository';
import { isDisconnected } from './mailbox-account.entity';

interface StoredCredentials {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** OAuth tokens in the accounts' rows, sealed with the row's id. */
@Injectable()
export class SealedCredentials extends ProviderCredentials {
  private readonly logger = new Logger(SealedCredentials.name);

  constructor(
    private readonly accounts: AccountCredentialsRepository,
    private readonly secretBox: SecretBox,
    private readonly changes: AccountUpdates,
  ) {
    super();
  }

  async load(accountId: string): Promise<OAuthCredentials> {
    const [account, isOwnerActive] = await Promise.all([
      this.accounts.findAccount(accountId),
      this.accounts.isOwnerActive(accountId),
    ]);
    // However long ago the caller was authorised: nobody enters the mailbox of a deactivated user.
    if (!account?.isActive || !isOwnerActive || isDisconnected(account)) throw new MailboxDisconnected();
    if (account.status === 'needs_reauth' || account.sealedCredentials === null) throw new ReauthRequired();
    const credentials = this.openIfReadable(accountId, account.sealedCredentials);
    // Nothing is marked: with the right key back in place the account works again.
    if (!credentials) throw new ReauthRequired();
    return credentials;
  }

  async save(
    accountId: string,
    credentials: OAuthCredentials,
    replacing?: OAuthCredentials,
  ): Promise<boolean> {
    const stored = await this.storedGrant(accountId, replacing);
    if (stored === null) return false;
    return this.accounts.saveCredentials(accountId, this.seal(accountId, credentials), stored);
  }

  async markReauthRequired(accountId: string, refused?: OAuthCredentials): Promise<boolean> {
    const stored = await this.storedGrant(accountId, refused);
    const marked = stored !== null && (await this.accounts.markReauthRequired(accountId, stored));
    if (marked) await this.publishChange(accountId);
    return marked;
  }

  async setPausedUntil(accountId: string, until: Date): Promise<void> {
    await this.accounts.setPausedUntil(accountId, until);
    await this.publishChange(accountId);
  }

  private async publishChange(accountId: string): Promise<void> {
    const account = await this.accounts.findAccount(accountId);
    if (account) this.changes.publish(account.userId);
  }

  seal(accountId: string, { accessToken, refreshToken, expiresAt }: OAuthCredentials): string {
    const stored: StoredCredentials = { accessToken, refreshToken, expiresAt: expiresAt.toISOString() };
    return this.secretBox.seal(stored, accountId);
  }

  /**
   * The credentials stored at the moment, for a write that must replace no others; null when there are none, or when
   * they are not of the `expected` grant: every consent has a refresh token of its own.
   */
  private async storedGrant(accountId: string, expected?: OAuthCredentials): Promise<string | null> {
    const sealed = (await this.accounts.findAccount(accountId))?.sealedCredentials ?? null;
    if (sealed === null || expected === undefined) return sealed;
    return this.openIfReadable(accountId, sealed)?.refreshToken === expected.refreshToken ? sealed : null;
  }

  /** null, with a line in the log, when they were sealed with another key. */
  openIfReadable(accountId: string, sealed: string): OAuthCredentials | null {
    try {
      const stored = this.secretBox.open<StoredCredentials>(sealed, accountId);
      return { ...stored, expiresAt: new Date(stored.expiresAt) };
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      this.logger.error(`Credentials of account ${accountId}: ${error.message}`);
      return null;
    }
  }
}
