import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../../mailbox/accounts/account-maintenance';
import { InboxZeroService } from './inbox-zero.service';

const EVERY_SECONDS = 6 * 3600;

/** Counts the inbox of every usable account every 6 hours, so that empty days are recorded without visits. */
@Injectable()
export class InboxSnapshotsCron {
  private readonly logger = new Logger(InboxSnapshotsCron.name);

  constructor(
    private readonly maintenance: AccountMaintenance,
    private readonly inboxes: InboxZeroService,
  ) {}

  @Cron('*/5 * * * *', { name: 'inbox-snapshots', waitForCompletion: true })
  async takeDue(): Promise<void> {
    const taken = await this.maintenance.performDue({
      name: 'inbox_snapshot',
      everySeconds: EVERY_SECONDS,
      perform: (account, signal) => this.inboxes.takeScheduledSnapshot(account, signal),
    });
    if (taken > 0) this.logger.log(`Took snapshots of ${taken} inboxes`);
  }
}
