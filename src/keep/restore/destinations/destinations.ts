import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../../platform/crypto/secret-box';
import { EgressGuard, HostUnknown } from '../../../platform/egress/egress-guard';
import type { ImapServer } from '../../../archive/imports/imap/imap-client';
import { ImapTimings } from '../../../archive/imports/imap/imap-timings';
import { ImapFailure } from '../../../archive/imports/imap/imap.errors';
import { MailboxProviders } from '../../../providers/port/mailbox-provider.port';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import type { MailboxDestination } from '../mailbox-destination.port';
import type { ImapTarget } from '../restore.entity';
import { DryRunMissing } from '../restore.errors';
import type { Restore } from '../restores.repository';
import { ImapDestination } from './imap-destination';
import { ImapMailbox } from './imap-mailbox';
import { LiveMailboxDestination } from './live-mailbox-destination';

/** Opens the destinations of restores. */
@Injectable()
export class Destinations {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly egress: EgressGuard,
    private readonly secrets: SecretBox,
    private readonly timings: ImapTimings,
  ) {}

  /**
   * @param signal ends what is under way
   * @throws AccountNotOwned, MailboxDisconnected, ReauthRequired; ImapFailure, EgressRefused; DryRunMissing when the password
   *   has been erased
   */
  async open(restore: Restore, signal: AbortSignal): Promise<MailboxDestination> {
    if (restore.imap) return this.openImap(restore, restore.imap, signal);
    const account = await this.accounts.usable(restore.userId, restore.targetAccountId ?? '');
    return new LiveMailboxDestination(this.providers.forAccount(account), signal);
  }

  private async openImap(
    { id, userId, sealedPassword }: Restore,
    { host, port, secure, user, root }: ImapTarget,
    signal: AbortSignal,
  ): Promise<MailboxDestination> {
    if (sealedPassword === null) throw new DryRunMissing();
    const { password } = this.secrets.open<{ password: string }>(sealedPassword, id);
    const server = async (): Promise<ImapServer> => {
      const address = await this.egress.resolve(host, userId, signal).catch((error: unknown) => {
        throw error instanceof HostUnknown ? new ImapFailure('imap-host-unreachable', error.detail) : error;
      });
      return { host, port, secure, user, pass: password, lookup: this.egress.pinned(address) };
    };
    const mailbox = new ImapMailbox(server, this.timings, signal);
    await mailbox.connect();
    return new ImapDestination(mailbox, root);
  }
}
