import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AccountMaintenance } from '../../../mailbox/accounts/account-maintenance';
import { AppConfig } from '../../../platform/config/app-config';
import {
  AttachedTextsService,
  READ_ATTACHMENTS_CHORE,
  type ReadAccount,
  type ReadingProgress,
} from './attached-texts.service';

/** Least pause between two steps of one account, also after a failure. */
const EVERY_SECONDS = 10;
/** Pause when nothing waits: mail that is archived meanwhile waits no longer than this. */
const REST = { dueAgainInSeconds: 60 };
/** Pause when all that is left are files that could not be reached, or documents cannot be read at all: an hour, in seconds. */
const LEFT_OVER_REST = { dueAgainInSeconds: 3_600 };
/** Interval at which lost files are looked for again, in seconds. */
const DAY = 86_400;

/** Reads the text of archived attachments, and then that of their pictures. */
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
    await this.performDue(READ_ATTACHMENTS_CHORE, (account, signal) => this.texts.readSome(account, signal));
  }

  @Cron('15/20 * * * * *', { name: 'recognize-pictures', waitForCompletion: true })
  async recognizeDue(): Promise<void> {
    if (!this.config.jobs.readAttachments || this.config.jobs.ocrLanguages === null) return;
    await this.performDue('recognize_pictures', (account, signal) =>
      this.texts.recognizeSome(account, signal),
    );
  }

  @Cron('0 43 * * * *', { name: 'retry-lost-attachments', waitForCompletion: true })
  async retryLost(): Promise<void> {
    if (!this.config.jobs.readAttachments) return;
    await this.maintenance.performDue({
      name: 'retry_lost_attachments',
      everySeconds: DAY,
      ofArchive: true,
      perform: async (account) => {
        await this.texts.retryLost(account);
      },
    });
  }

  private async performDue(
    name: typeof READ_ATTACHMENTS_CHORE | 'recognize_pictures',
    read: (account: ReadAccount, signal: AbortSignal) => Promise<ReadingProgress>,
  ): Promise<void> {
    await this.maintenance.performDue({
      name,
      everySeconds: EVERY_SECONDS,
      ofArchive: true,
      perform: async (account, signal) => {
        const progress = await read(account, signal);
        if (progress === 'more') return undefined;
        return progress === 'done' ? REST : LEFT_OVER_REST;
      },
    });
  }
}
