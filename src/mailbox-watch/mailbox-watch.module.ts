import { Module } from '@nestjs/common';
import { MailProviderModule } from '../mail-provider/mail-provider.module';
import { MailboxWatcher } from './mailbox-watcher';
import { WatchMailboxesCron } from './watch-mailboxes.cron';

@Module({
  imports: [MailProviderModule],
  providers: [MailboxWatcher, WatchMailboxesCron],
})
export class MailboxWatchModule {}
