import { Injectable } from '@nestjs/common';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { CallOptions, MailboxProviders } from '../../mailbox/providers/mailbox-provider.port';
import { ArchivedLabelsRepository } from './archived-labels.repository';
import { RunLabels } from './run-labels';

/** What the labels of policies stand for. */
@Injectable()
export class RetentionLabels {
  constructor(
    private readonly archives: ArchivedLabelsRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
  ) {}

  /** For one run or preview; what it has learnt is as old as itself. */
  forRun(userId: string, options: CallOptions): RunLabels {
    return new RunLabels(userId, options, this.archives, this.accounts, this.providers);
  }
}
