import { Injectable, Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { SecretBox, SecretUnreadable } from '../../platform/crypto/secret-box';
import {
  MailboxCredentials,
  OAuthCredentials,
  ProviderCredentials,
} from '../../providers/port/provider-credentials.port';
import {
  ArchiveWithoutMailbox,
  MailboxDisconnected,
  ReauthRequired,
} from '../../providers/port/mail-provider.errors';
import { AccountUpdates } from './account-updates';
import { AccountCredentialsRepository } from './mailbox-accounts.repository';
import {
  hasNoMailbox,
  isDisconnected,
  type MailboxAccountEntity,
  type StoredAccountStatus,
} from './mailbox-account.entity';

type SealedAccount = Pick<MailboxAccountEntity, 'id' | 'status' | 'sealedCredentials'>;

interface StoredTokens {
  /** Kind of credentials; missing in rows stored when there was no other kind. */
  readonly kind?: 'oauth';
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Expiry of the access token, ISO 8601. */
  readonly expiresAt: string;
  /** Issuer of a grant for IMAP. */
  readonly issuer?: string;
}

interface StoredPassword {
  readonly kind: 'password';
  readonly password: string;
}

/** OAuth tokens and passwords in the accounts' rows, sealed with the row's id. */
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

  async load(accountId: string): Promise<MailboxCredentials> {
    const [account, isOwnerActive] = await Promise.all([
      this.accounts.findAccount(accountId),
      this.accounts.isOwnerActive(accountId),
    ]);
    if (account && hasNoMailbox(account)) throw new ArchiveWithoutMailbox();
    // The mailbox of a deactivated user must not be used, even by a caller that was authorised before.
    if (!account?.isActive || !isOwnerActive || isDisconnected(account)) throw new MailboxDisconnected();
    if (account.status === 'needs_reauth' || account.sealedCredentials === null) throw new ReauthRequired();
    const credentials = this.openIfReadable(accountId, account.sealedCredentials);
    // The account is not marked, so that it works again once the right key is back.
    if (!credentials) throw new ReauthRequired();
    return credentials;
  }

  async save(
    accountId: string,
    credentials: OAuthCredentials,
    replacing?: OAuthCredentials,
  ): Promise<boolean> {
    const stored = await this.findStoredGrant(accountId, replacing);
    if (stored === null) return false;
    return this.accounts.saveCredentials(accountId, this.seal(accountId, credentials), stored);
  }

  async markReauthRequired(accountId: string, refused?: MailboxCredentials): Promise<boolean> {
    const stored = await this.findStoredGrant(accountId, refused);
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

  seal(accountId: string, credentials: MailboxCredentials): string {
    return this.secretBox.seal(toStored(credentials), accountId);
  }

  /**
   * Finds the sealed credentials that a write may replace; null when there are none, or when they are not of the
   * `expected` grant.
   */
  private async findStoredGrant(accountId: string, expected?: MailboxCredentials): Promise<string | null> {
    const sealed = (await this.accounts.findAccount(accountId))?.sealedCredentials ?? null;
    if (sealed === null || expected === undefined) return sealed;
    const held = this.openIfReadable(accountId, sealed);
    return held && isSameGrant(held, expected) ? sealed : null;
  }

  statusOf(account: SealedAccount): StoredAccountStatus {
    return statusWithCredentials(account, this.secretBox);
  }

  /** Opens credentials; returns null and logs an error when they were sealed with another key. */
  openIfReadable(accountId: string, sealed: string): MailboxCredentials | null {
    try {
      const stored = this.secretBox.open<StoredTokens | StoredPassword>(sealed, accountId);
      if (stored.kind !== 'password') return { ...stored, expiresAt: new Date(stored.expiresAt) };
      return { ...stored, version: versionOf(sealed) };
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      this.logger.error(`Credentials of account ${accountId}: ${error.message}`);
      return null;
    }
  }
}

/**
 * Returns the stored status, but `needs_reauth` for a connection whose credentials were sealed with another key: the
 * mailbox cannot be used until it is connected again or the key is back.
 */
export function statusWithCredentials(
  { id, status, sealedCredentials: sealed }: SealedAccount,
  secretBox: SecretBox,
): StoredAccountStatus {
  const isUsable = sealed !== null && secretBox.isReadable(sealed, id);
  return status === 'connected' && !isUsable ? 'needs_reauth' : status;
}

function toStored(credentials: MailboxCredentials): StoredTokens | StoredPassword {
  if (credentials.kind === 'password') return { kind: 'password', password: credentials.password };
  const { accessToken, refreshToken, expiresAt, issuer, grantId } = credentials;
  return {
    ...{ kind: 'oauth', accessToken, refreshToken, expiresAt: expiresAt.toISOString() },
    ...(issuer !== undefined && { issuer }),
    ...(grantId !== undefined && { grantId }),
  };
}

/** Derives the version of credentials from their sealed form, which differs with each sealing and reveals nothing. */
const versionOf = (sealed: string): string => createHash('sha256').update(sealed).digest('base64url');

/**
 * Whether two credentials are of one grant. Every consent has a different refresh token, and every stored password
 * another version.
 */
function isSameGrant(held: MailboxCredentials, expected: MailboxCredentials): boolean {
  if (held.kind === 'password') return expected.kind === 'password' && held.version === expected.version;
  return expected.kind !== 'password' && held.refreshToken === expected.refreshToken;
}
