import { pickFacts } from '../../../platform/access/audit-trail.port';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { LabelNames } from '../../../mailbox/labels/label-names';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { MailboxAccountGone } from '../archive.errors';
import { ArchiveMailsDto } from '../dto/archive.dto';
import { MessageArchiver } from './message-archiver';

export const ArchiveMails = defineJob('archive_mails', {
  queue: JobQueue.Archive,
  payload: ArchiveMailsDto,
  retryOf: (_payload, messageIds) => ({ messageIds: [...messageIds] }),
  audited: {
    act: 'mails.archive',
    factsOfStart: ({ messageIds, query }) => ({
      details: { by: query === undefined ? 'ids' : 'query', ...(messageIds && { count: messageIds.length }) },
    }),
    factsOfEnd: (result) => pickFacts(result, 'archived', 'skipped', 'failed'),
  },
});

/** Copies messages of the mailbox into the archive; see `ArchiveMailsRun`. */
@HandlesJob(ArchiveMails)
export class ArchiveMailsHandler implements JobHandler<ArchiveMailsDto> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly archiver: MessageArchiver,
    private readonly labelNames: LabelNames,
  ) {}

  async run(payload: ArchiveMailsDto, job: JobContext): Promise<JobResult> {
    if (job.accountId === null) throw new MailboxAccountGone();
    const account = await this.accounts.requireUsable(job.userId, job.accountId);
    await this.labelNames.refresh(account, { priority: 'background', signal: job.signal });
    return this.archiver.archive(account, payload, job);
  }
}
