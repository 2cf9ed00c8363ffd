import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../platform/crypto/secret-box';
import { OneTimeSessions } from '../../../providers/imap/one-time/one-time-sessions';
import { MailboxProviders } from '../../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import type { MailboxDestination } from '../mailbox-destination.port';
import type { ImapTarget } from '../restore.entity';
import { DryRunMissing } from '../restore.errors';
import type { Restore } from '../restores.repository';
import { ImapDestination } from './imap-destination';
import { OneTimeMailbox } from './one-time-mailbox';
import { LiveMailboxDestination } from './live-mailbox-destination';

/** Opens the destinations of restores. */
@Injectable()
export class Destinations {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly sessions: OneTimeSessions,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Opens the destination of a restore.
   * @param signal aborts what is in progress
   * @throws AccountNotOwned, MailboxDisconnected, ReauthRequired; ImapServerFailure, EgressRefused; DryRunMissing when the
   *   password has been erased
   */
  async open(restore: Restore, signal: AbortSignal): Promise<MailboxDestination> {
    if (restore.imap) return this.openImap(restore, restore.imap, signal);
    const account = await this.accounts.requireUsable(restore.userId, restore.targetAccountId ?? '');
    return new LiveMailboxDestination(this.providers.forAccount(account), signal);
  }

  private async openImap(
    { id, userId, sealedPassword }: Restore,
    { host, port, secure, user, root }: ImapTarget,
    signal: AbortSignal,
  ): Promise<MailboxDestination> {
    if (sealedPassword === null) throw new DryRunMissing();
    const { password } = this.secrets.open<{ password: string }>(sealedPassword, id);
    const server = { host, port, secure, user, pass: password };
    const mailbox = new OneTimeMailbox(() => this.sessions.open(server, userId, signal), signal);
    await mailbox.connect();
    return new ImapDestination(mailbox, root);
  }
}
