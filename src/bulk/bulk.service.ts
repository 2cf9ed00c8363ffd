import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../common/http/domain-error';
import { JobsService } from '../jobs/jobs.service';
import { MailboxAccountsService } from '../mailbox/mailbox-accounts.service';
import { MailboxProviders, ProviderAccount } from '../mail-provider/mailbox-provider.port';
import { needsLabel } from './bulk-action';
import type { StartBulkOperationDto } from './dto/bulk-operation.dto';
import { BulkOperation } from './bulk-operation.job';
import type { BulkOperationResponse } from './dto/bulk-operation.response';

/** Starts bulk operations. */
@Injectable()
export class BulkService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly jobs: JobsService,
  ) {}

  /** @throws ValidationFailed when the label does not exist, MailboxDisconnected, ReauthRequired */
  async start(
    userId: string,
    accountId: string,
    body: StartBulkOperationDto,
  ): Promise<BulkOperationResponse> {
    const account = await this.accounts.usable(userId, accountId);
    const labelId = needsLabel(body.action) ? body.labelId : undefined;
    if (labelId !== undefined) await this.requireLabel(account, labelId);
    const messageIds = [...new Set(body.messageIds)];
    const { jobId } = await this.jobs.start(
      BulkOperation,
      { userId, accountId },
      { action: body.action, messageIds, ...(labelId !== undefined && { labelId }) },
      { total: messageIds.length },
    );
    const count = messageIds.length.toLocaleString('en-US');
    return {
      jobId,
      message: `Bulk operation started: ${count} message${messageIds.length === 1 ? '' : 's'}`,
    };
  }

  private async requireLabel(account: ProviderAccount, labelId: string): Promise<void> {
    const labels = await this.providers.forAccount(account).listLabels({ priority: 'interactive' });
    if (labels.some(({ id }) => id === labelId)) return;
    throw new ValidationFailed([{ field: 'labelId', message: 'labelId must be an existing label' }]);
  }
}
