import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../accounts/account-maintenance';
import { NewestMessages } from './newest-messages';

/** Name of the maintenance task that keeps the index up to date. It is stored. */
export const MESSAGE_INDEX_CHORE = 'message_index';

const EVERY_SECONDS = 10 * 60;

/** Keeps the index of accounts in use up to date, so that the next request for figures costs little. */
@Injectable()
export class IndexRefreshCron {
  constructor(
    private readonly maintenance: AccountMaintenance,
    private readonly newest: NewestMessages,
  ) {}

  @Cron('* * * * *', { name: 'refresh-message-indexes', waitForCompletion: true })
  async refreshDue(): Promise<void> {
    await this.maintenance.performDue({
      name: MESSAGE_INDEX_CHORE,
      everySeconds: EVERY_SECONDS,
      perform: (account, signal) => this.newest.keepUp(account, signal),
    });
  }
}
