import { Injectable } from '@nestjs/common';
import { IsBoolean, IsUUID } from 'class-validator';
import { pickFacts } from '../../../platform/access/audit-trail.port';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { OffloadRunner } from './offload-runner';

export class OffloadMessagesPayload {
  @IsUUID()
  planId: string;

  /** Whether the job's secrets hold the passphrase. */
  @IsBoolean()
  hasPassphrase: boolean;
}

export const OffloadMessages = defineJob('offload_messages', {
  queue: JobQueue.Offload,
  payload: OffloadMessagesPayload,
  undoable: true,
  // The passphrase is erased when the job ends; the user confirms the plan again.
  resumes: false,
  audited: {
    act: 'messages.offload',
    factsOfStart: ({ planId }) => ({ target: { type: 'offload-plan', id: planId } }),
    factsOfEnd: (result) => pickFacts(result, 'planId', 'trashed', 'blocked', 'left', 'receiptSha256'),
  },
});

/** Moves the messages of a confirmed plan to the trash; see `OffloadRunner`. */
@Injectable()
@HandlesJob(OffloadMessages)
export class OffloadMessagesHandler implements JobHandler<OffloadMessagesPayload> {
  constructor(private readonly runner: OffloadRunner) {}

  async run({ planId, hasPassphrase }: OffloadMessagesPayload, job: JobContext): Promise<JobResult> {
    return this.runner.run(planId, hasPassphrase, job);
  }
}
