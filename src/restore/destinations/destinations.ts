import { Injectable } from '@nestjs/common';
import { MailboxProviders } from '../../mail-provider/mailbox-provider.port';
import { MailboxAccountsService } from '../../mailbox/mailbox-accounts.service';
import type { MailboxDestination } from '../mailbox-destination.port';
import type { Restore } from '../restores.repository';
import { LiveMailboxDestination } from './live-mailbox-destination';

/** Opens the destinations of restores. */
@Injectable()
export class Destinations {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
  ) {}

  /**
   * @param signal ends whatever is under way
   * @throws AccountNotOwned, MailboxDisconnected, ReauthRequired
   */
  async open(restore: Restore, signal: AbortSignal): Promise<MailboxDestination> {
    const account = await this.accounts.usable(restore.userId, restore.targetAccountId ?? '');
    return new LiveMailboxDestination(this.providers.forAccount(account), signal);
  }
}
