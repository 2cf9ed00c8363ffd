import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { MailboxProviders, type ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import type { ArchiveMailsDto } from '../dto/archive.dto';
import { ArchiveWriter } from '../writing/archive-writer';
import { ArchiveWritesRepository } from '../writing/archive-writes.repository';
import { ArchivePlanner } from './archive-planner';
import { ArchiveMailsRun, type ArchiveResult } from './archive-mails.run';
import { MessageBudget } from './message-budget';
import { RawMessageFetcher } from './raw-message-fetcher';

/** Copies messages of a mailbox into the archive for jobs of every kind that does so. */
@Injectable()
export class MessageArchiver {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly planner: ArchivePlanner,
    private readonly fetcher: RawMessageFetcher,
    private readonly writer: ArchiveWriter,
    private readonly repository: ArchiveWritesRepository,
    private readonly index: MessageIndexService,
    private readonly budget: MessageBudget,
  ) {}

  /** Archives the messages, from the job's checkpoint on. @param account an account that has been checked to be usable */
  async archive(account: ProviderAccount, request: ArchiveMailsDto, job: JobContext): Promise<ArchiveResult> {
    // Each fetch adds several listeners to it on its way through the gateway.
    setMaxListeners(0, job.signal);
    const { planner, fetcher, writer, repository, index } = this;
    const provider = this.providers.forAccount(account);
    const reservation = this.budget.open(account.userId, job.signal);
    try {
      const services = { provider, planner, fetcher, writer, repository, index, reservation };
      return await new ArchiveMailsRun(account, request, job, services).run();
    } finally {
      reservation.close();
    }
  }
}
