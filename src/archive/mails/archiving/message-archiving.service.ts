import { Injectable } from '@nestjs/common';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { SelectionsService } from '../../../mailbox/selections/selections.service';
import { ValidationFailed } from '../../../platform/http/domain-error';
import { JobsService, type StartedJob } from '../../../platform/jobs/jobs.service';
import { requireReadableQuery } from '../../../providers/port/readable-query';
import type { ArchiveMailsDto } from '../dto/archive.dto';
import { ArchiveMails } from './archive-mails.job';

/** Starts jobs that archive messages of a mailbox. */
@Injectable()
export class MessageArchivingService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly selections: SelectionsService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Starts a job that archives the given messages, those that match a query, or those of a selection.
   * @throws ValidationFailed unless exactly one of them is given, SelectionExpired, CountMismatch, MailboxDisconnected,
   *   ReauthRequired, SearchTermNotSupported
   */
  async start(userId: string, accountId: string, body: ArchiveMailsDto): Promise<StartedJob> {
    const owner = { userId, accountId };
    const query = body.query ?? undefined;
    if ([body.messageIds, query, body.selectionId].filter((given) => given != null).length !== 1) {
      throw new ValidationFailed([
        { field: 'messageIds', message: 'exactly one of messageIds, query and selectionId must be given' },
      ]);
    }
    const account = await this.accounts.requireUsable(userId, accountId);
    if (query !== undefined) requireReadableQuery(account, query);
    // The selection may have expired since the first request.
    const repeated = body.selectionId ? await this.jobs.findRepeated(userId) : null;
    if (repeated) return { jobId: repeated.record.jobId };
    const messageIds = await this.resolveMessageIds(owner, body);
    const payload = { messageIds, query, differential: body.differential ?? true };
    return this.jobs.start(ArchiveMails, owner, payload, { total: messageIds?.length });
  }

  /** Returns the ids of the request, or of its selection, each once; undefined for a query, which the job lists. */
  private async resolveMessageIds(
    owner: { userId: string; accountId: string },
    { messageIds, selectionId, confirmedCount }: ArchiveMailsDto,
  ): Promise<string[] | undefined> {
    if (selectionId && confirmedCount)
      return [...(await this.selections.findMessageIds(owner, { selectionId, confirmedCount }))];
    return messageIds ? [...new Set(messageIds)] : undefined;
  }
}
