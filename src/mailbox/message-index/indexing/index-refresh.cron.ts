import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { AppConfig } from '../../../config/app-config';
import { AccountChores } from '../../accounts/chores/account-chores.service';
import type { ProviderAccount } from '../../providers/mailbox-provider.port';
import { IndexJobs } from '../jobs/index-jobs.service';
import { MessageIndexRepository } from '../message-index.repository';
import { MessageIndexService } from '../message-index.service';

const EVERY_SECONDS = 10 * 60;

/** Keeps the index of accounts somebody looks at near the mailbox, so that looking again costs next to nothing. */
@Injectable()
export class IndexRefreshCron {
  constructor(
    private readonly config: AppConfig,
    private readonly chores: AccountChores,
    private readonly index: MessageIndexService,
    private readonly messages: MessageIndexRepository,
    private readonly jobs: IndexJobs,
  ) {}

  @Cron('* * * * *', { name: 'refresh-message-indexes' })
  async refreshDue(): Promise<void> {
    if (!this.config.runsJobs) return;
    await this.chores.performDue({
      name: 'message_index',
      everySeconds: EVERY_SECONDS,
      perform: (account) => this.refresh(account),
    });
  }

  /** Nothing at all for accounts nobody has looked at. */
  private async refresh(account: ProviderAccount): Promise<void> {
    const before = await this.messages.state(account.id);
    if (!before?.wanted) return;
    await this.index.sync(account, { priority: 'background' });
    const after = await this.messages.state(account.id);
    if (after && !after.complete) await this.jobs.start(account);
  }
}
