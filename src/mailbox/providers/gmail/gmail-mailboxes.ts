import { Injectable } from '@nestjs/common';
import { MailboxProvider, MailboxProviders, ProviderAccount } from '../mailbox-provider.port';
import { BatchReader } from './batch-reader';
import { GmailApi } from './gmail-api';
import { GmailLabels } from './gmail-labels';
import { GmailMailbox } from './gmail-mailbox';

@Injectable()
export class GmailMailboxes extends MailboxProviders {
  constructor(
    private readonly api: GmailApi,
    private readonly batches: BatchReader,
    private readonly labels: GmailLabels,
  ) {
    super();
  }

  forAccount(account: ProviderAccount): MailboxProvider {
    return new GmailMailbox(account, { api: this.api, batches: this.batches, labels: this.labels });
  }
}
