import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../../../platform/config/app-config';
import { MailboxWatcher } from './mailbox-watcher';

@Injectable()
export class WatchMailboxesCron {
  constructor(
    private readonly config: AppConfig,
    private readonly watcher: MailboxWatcher,
  ) {}

  @Cron('*/20 * * * * *', { name: 'watch-mailboxes', waitForCompletion: true })
  async review(): Promise<void> {
    if (this.config.runsJobs) await this.watcher.review();
  }
}
