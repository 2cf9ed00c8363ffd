import { Injectable } from '@nestjs/common';
import { ArrayMinSize, IsArray, IsUUID } from 'class-validator';
import { pickFacts } from '../../../platform/access/audit-trail.port';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { ArchiveDeletionService } from '../archive-deletion.service';
import { MailboxAccountGone } from '../archive.errors';

export class DeleteArchivedMailsPayload {
  /** Ids of exactly the mails that were confirmed, without duplicates. */
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
    factsOfStart: ({ mailIds }) => ({ details: { count: mailIds.length } }),
    factsOfEnd: (result) => pickFacts(result, 'deleted'),
  },
});

/** Other writers of the archive wait for one batch. */
const BATCH = 1_000;
const HELD = 'The message of this mail is being moved out of the mailbox: its copy stays until that is done.';

interface Checkpoint {
  /** Mails processed, from the first on. */
  readonly deleted: number;
  /** Mails among them that stay because they are held; absent in checkpoints of earlier versions. */
  readonly held?: number;
}

/** Deletes archived mails, rows before files. A mail that is gone already counts as deleted: a batch may run twice. */
@Injectable()
@HandlesJob(DeleteArchivedMails)
export class DeleteArchivedMailsHandler implements JobHandler<DeleteArchivedMailsPayload> {
  constructor(private readonly deletion: ArchiveDeletionService) {}

  async run({ mailIds }: DeleteArchivedMailsPayload, job: JobContext): Promise<JobResult> {
    const { userId, accountId } = job;
    if (accountId === null) throw new MailboxAccountGone();
    const pass = this.deletion.beginPass();
    const saved = job.savedCheckpoint<Checkpoint>();
    let [done, held] = [saved?.deleted ?? 0, saved?.held ?? 0];
    job.report({ deleted: done - held });
    while (done < mailIds.length) {
      job.throwIfCancelled();
      const batch = mailIds.slice(done, done + BATCH);
      const kept = await this.deletion.deleteMails({ userId, accountId }, batch, pass);
      for (const id of kept) job.fail(id, 'mail-held', HELD);
      done += batch.length;
      held += kept.size;
      job.progress({ processed: batch.length - kept.size });
      job.report({ deleted: done - held });
      await job.checkpoint({ deleted: done, held } satisfies Checkpoint);
    }
    return { deleted: done - held };
  }
}
