import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../common/jobs/job-context';
import { MessageIndexService } from '../message-index/message-index.service';
import { MailboxProviders, ProviderAccount } from '../providers/mailbox-provider.port';
import { BulkChange, BulkResult, BulkRun } from './bulk-run';
import { OutcomeCheck } from './outcome-check';

/** Changes many messages of one mailbox on behalf of a job, whichever kind it is of; see `BulkRun`. */
@Injectable()
export class BulkRuns {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly index: MessageIndexService,
    private readonly outcomes: OutcomeCheck,
  ) {}

  /** Goes on from the job's checkpoint. @param account checked to be usable */
  run(account: ProviderAccount, change: BulkChange, job: JobContext): Promise<BulkResult> {
    const { index, outcomes } = this;
    const provider = this.providers.forAccount(account);
    return new BulkRun(account, change, job, { provider, index, outcomes }).run();
  }
}
