import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { KEEP_COPIES_CHORE } from './copy-jobs';
import { ContinuousArchiver } from './continuous-archiver';

/** With the cron's 20 seconds on top, new mail is seen after a minute. */
const EVERY_SECONDS = 45;

/** Looks for new mail of all mailboxes that are kept. */
@Injectable()
export class KeepCopiesCron {
  constructor(
    private readonly maintenance: AccountMaintenance,
    private readonly archiver: ContinuousArchiver,
  ) {}

  @Cron('*/20 * * * * *', { name: 'keep-copies', waitForCompletion: true })
  async lookAtDue(): Promise<void> {
    await this.maintenance.performDue({
      name: KEEP_COPIES_CHORE,
      everySeconds: EVERY_SECONDS,
      perform: (account, signal) => this.archiver.syncNewMail(account, signal),
    });
  }
}
