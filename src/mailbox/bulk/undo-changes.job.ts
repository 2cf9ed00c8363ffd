import { Injectable } from '@nestjs/common';
import { IsString, Matches } from 'class-validator';
import { pickFacts } from '../../platform/access/audit-trail.port';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { UndoRunner } from './undo-runner';

export class UndoChangesPayload {
  /** Id of the job to undo: `<kind>-<number>`. */
  @IsString()
  @Matches(/^[a-z][a-z0-9_]{0,63}-\d{1,15}$/)
  jobId: string;
}

export const UndoChanges = defineJob('undo_changes', {
  queue: JobQueue.InteractiveBulk,
  payload: UndoChangesPayload,
  undoable: true,
  audited: {
    act: 'messages.undo',
    factsOfStart: ({ jobId }) => ({ target: { type: 'job', id: jobId } }),
    factsOfEnd: (result) =>
      pickFacts(
        result,
        'restored',
        'alreadyBack',
        'changedSince',
        'gone',
        'labelGone',
        'unknownBefore',
        'refused',
        'unknown',
        'evidence',
      ),
  },
});

/** Undoes the changes of another job; see `UndoRun`. */
@Injectable()
@HandlesJob(UndoChanges)
export class UndoChangesHandler implements JobHandler<UndoChangesPayload> {
  constructor(private readonly undo: UndoRunner) {}

  async run({ jobId }: UndoChangesPayload, job: JobContext): Promise<JobResult> {
    return this.undo.run(jobId, job);
  }
}
