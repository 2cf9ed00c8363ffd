import { Module } from '@nestjs/common';
import { ProvidersModule } from '../../../providers/providers.module';
import { MailboxWatcher } from './mailbox-watcher';
import { WatchMailboxesCron } from './watch-mailboxes.cron';

@Module({
  imports: [ProvidersModule],
  providers: [MailboxWatcher, WatchMailboxesCron],
})
export class MailboxWatchModule {}
