import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { MailboxWatcher } from './mailbox-watcher';

@Injectable()
export class WatchMailboxesCron {
  constructor(private readonly watcher: MailboxWatcher) {}

  @Cron('*/20 * * * * *', { name: 'watch-mailboxes', waitForCompletion: true })
  async review(): Promise<void> {
    await this.watcher.review();
  }
}
