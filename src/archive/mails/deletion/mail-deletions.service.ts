import { Injectable } from '@nestjs/common';
import { JobsService, type StartedJob } from '../../../platform/jobs/jobs.service';
import { CountMismatch } from '../../../platform/http/count-mismatch';
import { ChosenMailsService } from '../chosen-mails.service';
import { type DeleteMailsDto, MAX_CHOSEN_MAILS } from '../dto/chosen-mails.dto';
import type { ArchiveOwner } from '../writing/mail-to-archive';
import { DeleteArchivedMails } from './delete-archived-mails.job';

/** Deletes archived mails whose number the user has confirmed. */
@Injectable()
export class MailDeletionsService {
  constructor(
    private readonly chosen: ChosenMailsService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Starts a job that deletes exactly the mails that there are now.
   * @throws CountMismatch when these are not as many as were confirmed; ValidationFailed, ResourceNotFound,
   *   TooManyMails
   */
  async start(owner: ArchiveOwner, request: DeleteMailsDto): Promise<StartedJob> {
    // The first request's job may have deleted them since.
    const repeated = await this.jobs.findRepeated(owner.userId);
    if (repeated) return { jobId: repeated.record.jobId };
    const { ids } = await this.chosen.find(owner.accountId, request, MAX_CHOSEN_MAILS);
    if (ids.length !== request.confirmedCount) throw new CountMismatch(ids.length);
    return this.jobs.start(DeleteArchivedMails, owner, { mailIds: [...ids] }, { total: ids.length });
  }
}
