import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { AppConfig } from '../../../platform/config/app-config';
import { AttachedTextsService } from './attached-texts.service';

/** Least pause between two steps of one account, also after a failure. */
const EVERY_SECONDS = 10;
/** Pause when nothing waits: mail that is archived meanwhile waits no longer than this. */
const REST = { dueAgainInSeconds: 60 };
/** Pause when all that is left are files that could not be reached, or documents cannot be read at all: an hour, in seconds. */
const LEFT_OVER_REST = { dueAgainInSeconds: 3_600 };

/** Reads the text of archived attachments. */
@Injectable()
export class AttachedTextsCron {
  constructor(
    private readonly maintenance: AccountMaintenance,
    private readonly texts: AttachedTextsService,
    private readonly config: AppConfig,
  ) {}

  @Cron('5/20 * * * * *', { name: 'read-attachments', waitForCompletion: true })
  async readDue(): Promise<void> {
    if (!this.config.jobs.readAttachments) return;
    await this.maintenance.performDue({
      name: 'read_attachments',
      everySeconds: EVERY_SECONDS,
      ofArchive: true,
      perform: async (account, signal) => {
        const progress = await this.texts.readSome(account, signal);
        if (progress === 'more') return undefined;
        return progress === 'done' ? REST : LEFT_OVER_REST;
      },
    });
  }
}
