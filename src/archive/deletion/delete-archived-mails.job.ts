import { Injectable } from '@nestjs/common';
import { ArrayMinSize, IsArray, IsUUID } from 'class-validator';
import { pickFacts } from '../../access/audit-trail.port';
import type { JobContext } from '../../jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../jobs/job-definition';
import { JobQueue } from '../../jobs/job-queue';
import { ArchiveDeletionService } from '../archive-deletion.service';
import { MailboxAccountGone } from '../archive.errors';

export class DeleteArchivedMailsPayload {
  /** Without duplicates: exactly those that were confirmed. */
  @IsArray()
  @ArrayMinSize(1)
  @IsUUID('all', { each: true })
  mailIds: string[];
}

export const DeleteArchivedMails = defineJob('delete_archived_mails', {
  queue: JobQueue.InteractiveBulk,
  payload: DeleteArchivedMailsPayload,
  audited: {
    act: 'mails.delete',
    started: ({ mailIds }) => ({ details: { count: mailIds.length } }),
    ended: (result) => pickFacts(result, 'deleted'),
  },
});

/** Other writers of the archive wait for one batch. */
const BATCH = 1_000;

interface Checkpoint {
  /** Mails that are gone, from the first on. */
  readonly deleted: number;
}

/** Deletes archived mails, rows before files. A mail that is gone already counts as deleted: a batch may run twice. */
@Injectable()
@HandlesJob(DeleteArchivedMails)
export class DeleteArchivedMailsHandler implements JobHandler<DeleteArchivedMailsPayload> {
  constructor(private readonly deletion: ArchiveDeletionService) {}

  async run({ mailIds }: DeleteArchivedMailsPayload, job: JobContext): Promise<JobResult> {
    const { userId, accountId } = job;
    if (accountId === null) throw new MailboxAccountGone();
    const pass = this.deletion.newPass();
    let { deleted } = job.savedCheckpoint<Checkpoint>() ?? { deleted: 0 };
    job.report({ deleted });
    while (deleted < mailIds.length) {
      job.throwIfCancelled();
      const batch = mailIds.slice(deleted, deleted + BATCH);
      await this.deletion.deleteMails({ userId, accountId }, batch, pass);
      deleted += batch.length;
      job.progress({ processed: batch.length });
      job.report({ deleted });
      await job.checkpoint({ deleted } satisfies Checkpoint);
    }
    return { deleted };
  }
}
