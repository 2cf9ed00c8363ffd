import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { AccountNotOwned, Unauthenticated } from '../../platform/access/access.errors';
import { newId } from '../../platform/crypto/ids';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { AccessChanges } from '../../identity/sessions/access-changes';
import { UsersService } from '../../identity/users/users.service';
import type { ConnectedMailbox } from '../../providers/port/mailbox-connector.port';
import type { ProviderAccount } from '../../providers/port/mailbox-provider.port';
import type { OAuthCredentials } from '../../providers/port/provider-credentials.port';
import {
  ArchiveWithoutMailbox,
  MailboxDisconnected,
  ReauthRequired,
} from '../../providers/port/mail-provider.errors';
import { AccountUpdates } from './account-updates';
import { hasNoMailbox, isDisconnected } from './mailbox-account.entity';
import type { MailboxAccountEntity } from './mailbox-account.entity';
import {
  AnotherMailbox,
  MailboxAccountLimit,
  MailboxBeingPurged,
  MailboxConnectedOtherwise,
} from './mailbox-accounts.errors';
import { EndedConnection, MailboxAccountsRepository } from './mailbox-accounts.repository';
import { SealedCredentials } from './sealed-credentials';

export type { EndedConnection } from './mailbox-accounts.repository';

/** Manages the mailboxes that users have connected. */
@Injectable()
export class MailboxAccountsService {
  constructor(
    private readonly accounts: MailboxAccountsRepository,
    private readonly credentials: SealedCredentials,
    private readonly users: UsersService,
    private readonly audit: AuditTrail,
    private readonly changes: AccountUpdates,
    private readonly transactions: Transactions,
    private readonly accessChanges: AccessChanges,
  ) {}

  /** Finds the account in any state, e.g. for its archive. @throws AccountNotOwned */
  async requireOwned(
    userId: string,
    accountId: string,
    transaction?: Transaction,
  ): Promise<MailboxAccountEntity> {
    const account = await this.accounts.findOwned(userId, accountId, transaction);
    if (!account) throw new AccountNotOwned();
    return this.applyCredentials(account);
  }

  /**
   * Finds the account of a mailbox in any state, e.g. to connect it again or to disconnect it.
   * @throws AccountNotOwned, ArchiveWithoutMailbox
   */
  async requireMailbox(userId: string, accountId: string): Promise<MailboxAccountEntity> {
    const account = await this.requireOwned(userId, accountId);
    if (hasNoMailbox(account)) throw new ArchiveWithoutMailbox();
    return account;
  }

  /**
   * Finds the account for work on the live mailbox.
   * @throws AccountNotOwned, ArchiveWithoutMailbox, MailboxDisconnected (switched off or disconnected), ReauthRequired
   */
  async requireUsable(
    userId: string,
    accountId: string,
    transaction?: Transaction,
  ): Promise<ProviderAccount> {
    const account = await this.requireOwned(userId, accountId, transaction);
    if (hasNoMailbox(account)) throw new ArchiveWithoutMailbox();
    if (!account.isActive || isDisconnected(account)) throw new MailboxDisconnected();
    if (account.status === 'needs_reauth') throw new ReauthRequired();
    const { id, email, provider } = account;
    return { id, userId, email, provider };
  }

  /**
   * Checks that the account can be used, and locks it against changes until the transaction ends.
   * @throws AccountNotOwned, MailboxDisconnected, ReauthRequired
   */
  async lockUsable(userId: string, accountId: string, transaction: Transaction): Promise<void> {
    await this.accounts.lockOwned(userId, accountId, transaction);
    // A separate statement sees the changes that were committed before the lock was obtained.
    await this.requireUsable(userId, accountId, transaction);
  }

  /** Lists the user's accounts, oldest first, including disconnected ones. */
  async listByUser(userId: string): Promise<MailboxAccountEntity[]> {
    const accounts = await this.accounts.listOwned(userId);
    return accounts.map((account) => this.applyCredentials(account));
  }

  /**
   * Checks before a consent that the user may connect a mailbox. A user at the maximum may still renew an account that
   * needs it.
   * @throws MailboxAccountLimit
   */
  async requireBelowLimit(userId: string): Promise<void> {
    const [user, accounts] = await Promise.all([this.users.get(userId), this.listByUser(userId)]);
    const connected = accounts.filter((account) => !isDisconnected(account));
    if (connected.length < user.maxMailboxAccounts) return;
    if (connected.some(({ status }) => status === 'needs_reauth')) return;
    throw new MailboxAccountLimit();
  }

  /**
   * Stores an accepted consent or password in a new account, or in the earlier one of the same address, which then
   * continues where it stopped.
   * @param also writes further rows of the connection in the same transaction
   * @param accountId the account to connect again, whose address the mailbox must have
   * @returns the account's id
   * @throws AccountNotOwned, AnotherMailbox, MailboxAccountLimit, MailboxBeingPurged, MailboxConnectedOtherwise,
   *   Unauthenticated when the user is inactive or gone
   */
  async connect(
    userId: string,
    provider: string,
    mailbox: ConnectedMailbox,
    also?: (accountId: string, transaction: Transaction) => Promise<void>,
    accountId?: string,
  ): Promise<string> {
    const { email, credentials, scopes } = mailbox;
    return this.transactions.run(async (transaction) => {
      const limit = await this.users.lockAccountLimit(userId, transaction);
      // The user was deactivated or deleted while the provider was asked. An account added now would never be deleted.
      if (limit === null) throw new Unauthenticated();
      const earlier = await this.accounts.findByAddress(userId, provider, email, transaction);
      if (accountId !== undefined && earlier?.id !== accountId) {
        // The account's archive would continue with messages of another mailbox.
        if (await this.accounts.findOwned(userId, accountId, transaction)) throw new AnotherMailbox();
        throw new AccountNotOwned();
      }
      if (earlier?.status === 'purging') throw new MailboxBeingPurged();
      if (!earlier || isDisconnected(earlier)) {
        if (await this.accounts.isConnectedOtherwise(userId, provider, email, transaction))
          throw new MailboxConnectedOtherwise();
        if ((await this.accounts.countConnected(userId, transaction)) >= limit)
          throw new MailboxAccountLimit();
      }
      const id = earlier?.id ?? newId();
      const sealedCredentials = this.credentials.seal(id, credentials);
      await this.accounts.saveConnection(
        { id, userId, provider, email, sealedCredentials, scopes },
        transaction,
      );
      const action = earlier ? 'account.reconnected' : 'account.connected';
      const act = { action, userId, actorId: userId, accountId: id, details: { provider } };
      await this.audit.record(act, transaction);
      await also?.(id, transaction);
      transaction.afterCommit(() => this.changes.publish(userId));
      return id;
    });
  }

  /** Switches the account on or off. @throws AccountNotOwned, ArchiveWithoutMailbox, MailboxDisconnected */
  async toggle(userId: string, accountId: string): Promise<{ id: string; is_active: boolean }> {
    const toggled = await this.transactions.run(async (transaction) => {
      const account = await this.accounts.toggleOwned(userId, accountId, transaction);
      const action = account?.is_active ? 'account.switched-on' : 'account.switched-off';
      if (account) await this.audit.record({ action, userId, accountId }, transaction);
      transaction.afterCommit(() => this.changes.publish(userId));
      return account;
    });
    if (toggled) return toggled;
    await this.requireMailbox(userId, accountId);
    throw new MailboxDisconnected();
  }

  /**
   * Ends the connection: credentials are deleted, the archive stays readable. With `purge` the account may not be
   * connected again until `deletePurged`. It may be repeated. The account stays locked until the transaction ends.
   * @throws AccountNotOwned
   */
  async disconnect(
    userId: string,
    accountId: string,
    purge: boolean,
    transaction: Transaction,
  ): Promise<EndedConnection> {
    const ended = await this.accounts.disconnectOwned(userId, accountId, purge, transaction);
    if (!ended) throw new AccountNotOwned();
    await this.audit.record(
      { action: 'account.disconnected', userId, accountId, details: { purge } },
      transaction,
    );
    transaction.afterCommit(() => this.changes.publish(userId));
    return ended;
  }

  /**
   * Finds the tokens to revoke at the provider once `disconnect` is committed. Null when there are none, as with a
   * password, or when another user uses the same mailbox: revoking one grant revokes all of a mailbox's grants to this
   * installation.
   */
  async findRevocable(ended: EndedConnection): Promise<OAuthCredentials | null> {
    if (ended.sealedCredentials === null || (await this.accounts.isSharedMailbox(ended))) return null;
    const credentials = this.credentials.openIfReadable(ended.id, ended.sealedCredentials);
    return credentials?.kind === 'password' ? null : credentials;
  }

  /** Deletes an account whose archive has been deleted. @returns false when no purge was requested */
  async deletePurged(userId: string, accountId: string): Promise<boolean> {
    const isDeleted = await this.transactions.runRepeatable((transaction) =>
      this.accounts.deletePurged(userId, accountId, transaction),
    );
    if (isDeleted) {
      await this.accessChanges.announce({ accountId });
      this.changes.publish(userId);
    }
    return isDeleted;
  }

  /** Records that the message index is up to date as of `at`. */
  async recordSync(userId: string, accountId: string, at: Date): Promise<void> {
    await this.accounts.recordSync(userId, accountId, at);
  }

  /** Returns the account with the status that its credentials allow. */
  private applyCredentials(account: MailboxAccountEntity): MailboxAccountEntity {
    return { ...account, status: this.credentials.statusOf(account) };
  }
}
