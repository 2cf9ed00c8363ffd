import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { MailDatesService } from './mail-dates.service';

/** Least pause between two steps of one account, also after a failure. */
const EVERY_SECONDS = 10;
/** Pause when all that is left are files that could not be read: an hour, in seconds. */
const LEFT_OVER_REST = { dueAgainInSeconds: 3_600 };
/** Pause when nothing is left: a day, in seconds. A process of an earlier version may still have archived meanwhile. */
const REST = { dueAgainInSeconds: 86_400 };

/** Reads the dates of mails that earlier versions archived with one date. */
@Injectable()
export class MailDatesCron {
  constructor(
    private readonly maintenance: AccountMaintenance,
    private readonly dates: MailDatesService,
  ) {}

  @Cron('*/20 * * * * *', { name: 'date-mails', waitForCompletion: true })
  async dateDue(): Promise<void> {
    await this.maintenance.performDue({
      name: 'date_mails',
      everySeconds: EVERY_SECONDS,
      ofArchive: true,
      perform: async ({ id: accountId, userId }, signal) => {
        const progress = await this.dates.dateSome({ userId, accountId }, signal);
        if (progress === 'more') return undefined;
        return progress === 'done' ? REST : LEFT_OVER_REST;
      },
    });
  }
}
