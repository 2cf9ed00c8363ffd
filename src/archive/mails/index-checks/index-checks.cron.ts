import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { AppConfig } from '../../../platform/config/app-config';
import { IndexChecksService } from './index-checks.service';

/** Least pause between two steps of one account, also after a failure. */
const EVERY_SECONDS = 10;
/** Pause after a check: till the next night, in seconds. */
const REST = { dueAgainInSeconds: 20 * 3_600 };
/** Pause when a store could not be reached, in seconds. */
const UNAVAILABLE_REST = { dueAgainInSeconds: 3_600 };

/** Checks the search index of each account once a night. */
@Injectable()
export class IndexChecksCron {
  constructor(
    private readonly maintenance: AccountMaintenance,
    private readonly checks: IndexChecksService,
    private readonly config: AppConfig,
  ) {}

  @Cron('10/20 * 1-4 * * *', { name: 'check-indexes', timeZone: 'UTC', waitForCompletion: true })
  async checkDue(): Promise<void> {
    if (this.config.jobs.indexCheckMails === 0) return;
    await this.maintenance.performDue({
      name: 'check_index',
      everySeconds: EVERY_SECONDS,
      ofArchive: true,
      perform: async (account, signal) => {
        const progress = await this.checks.checkSome(account, signal);
        if (progress === 'more') return undefined;
        return progress === 'done' ? REST : UNAVAILABLE_REST;
      },
    });
  }
}
