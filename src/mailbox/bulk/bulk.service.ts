import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../platform/http/domain-error';
import { JobsService } from '../../platform/jobs/jobs.service';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { MailboxProviders, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { SelectionsService } from '../selections/selections.service';
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
    private readonly selections: SelectionsService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Starts a job that makes one change to many messages.
   * @throws ValidationFailed when the label does not exist, SelectionExpired, CountMismatch, MailboxDisconnected,
   *   ReauthRequired
   */
  async start(
    userId: string,
    accountId: string,
    body: StartBulkOperationDto,
  ): Promise<BulkOperationResponse> {
    const account = await this.accounts.requireUsable(userId, accountId);
    // The selection may have expired since the first request.
    const repeated = body.selectionId ? await this.jobs.findRepeated(userId) : null;
    if (repeated) return toStartedResponse(repeated.record.jobId, repeated.record.total);
    const labelId = needsLabel(body.action) ? body.labelId : undefined;
    if (labelId !== undefined) await this.requireLabel(account, labelId);
    const messageIds = await this.resolveMessageIds({ userId, accountId }, body);
    const { jobId } = await this.jobs.start(
      BulkOperation,
      { userId, accountId },
      { action: body.action, messageIds, ...(labelId !== undefined && { labelId }) },
      { total: messageIds.length },
    );
    return toStartedResponse(jobId, messageIds.length);
  }

  /** Returns the ids of the request, or of its selection, each once. */
  private async resolveMessageIds(
    owner: { userId: string; accountId: string },
    { messageIds, selectionId, confirmedCount }: StartBulkOperationDto,
  ): Promise<string[]> {
    if (!selectionId || confirmedCount === undefined) return [...new Set(messageIds)];
    if (messageIds)
      throw new ValidationFailed([
        { field: 'selectionId', message: 'selectionId must not be given with messageIds' },
      ]);
    return [...(await this.selections.findMessageIds(owner, { selectionId, confirmedCount }))];
  }

  private async requireLabel(account: ProviderAccount, labelId: string): Promise<void> {
    const labels = await this.providers.forAccount(account).listLabels({ priority: 'interactive' });
    if (labels.some(({ id }) => id === labelId)) return;
    throw new ValidationFailed([{ field: 'labelId', message: 'labelId must be an existing label' }]);
  }
}

function toStartedResponse(jobId: string, messages: number): BulkOperationResponse {
  const count = messages.toLocaleString('en-US');
  return { jobId, message: `Bulk operation started: ${count} message${messages === 1 ? '' : 's'}` };
}
