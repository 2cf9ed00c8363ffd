import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../platform/jobs/job-definition';
import { MailboxProviders, type ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { MessageIndexService } from '../index/message-index.service';
import { type BulkChange, BulkOperationRun, type BulkResult } from './bulk-operation.run';
import { ChangeJournalRepository } from './change-journal.repository';
import { OutcomeCheck } from './outcome-check';

/** Changes many messages of a mailbox, for jobs of every kind that does so: bulk operations, undoing and rules. */
@Injectable()
export class BulkChanger {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly outcomes: OutcomeCheck,
    private readonly journal: ChangeJournalRepository,
  ) {}

  /** Makes the change, from the job's checkpoint on. @param account an account that has been checked to be usable */
  change(account: ProviderAccount, change: BulkChange, job: JobContext): Promise<BulkResult> {
    const { index, outcomes, journal } = this;
    const provider = this.providers.forAccount(account);
    return new BulkOperationRun(account, change, job, { provider, index, outcomes, journal }).run();
  }
}
