import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { OutdatedMailsService } from './outdated-mails.service';
import { REREAD_MAILS_CHORE } from './outdated-marks';

/** Least pause between two steps of one account, also after a failure. */
const EVERY_SECONDS = 10;
/** Pause when all that is left are files that could not be read: an hour, in seconds. */
const LEFT_OVER_REST = { dueAgainInSeconds: 3_600 };
/** Pause when nothing is left: a day, in seconds. A process of an earlier version may still have archived meanwhile. */
const REST = { dueAgainInSeconds: 86_400 };

/** Reads mails again that earlier versions have archived. */
@Injectable()
export class RereadMailsCron {
  constructor(
    private readonly maintenance: AccountMaintenance,
    private readonly mails: OutdatedMailsService,
  ) {}

  @Cron('*/20 * * * * *', { name: 'reread-mails', waitForCompletion: true })
  async rereadDue(): Promise<void> {
    await this.maintenance.performDue({
      name: REREAD_MAILS_CHORE,
      everySeconds: EVERY_SECONDS,
      ofArchive: true,
      perform: async (account, signal) => {
        const progress = await this.mails.rereadSome(account, signal);
        if (progress === 'more') return undefined;
        return progress === 'done' ? REST : LEFT_OVER_REST;
      },
    });
  }
}
