import { Injectable } from '@nestjs/common';
import { IsIn, IsUUID } from 'class-validator';
import { pickFacts } from '../../platform/access/audit-trail.port';
import { MailboxAccountGone } from '../../archive/mails/archive.errors';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { COUNT_NAMES } from './restore-counts';
import { RestorePlanner } from './restore-planner';
import { RestoreRunner } from './restore-runner';

export class RestoreMailsPayload {
  @IsUUID()
  restoreId: string;

  /** Phase of the restore; `plan`: the dry run. */
  @IsIn(['plan', 'restore'])
  phase: 'plan' | 'restore';
}

export interface RestoreMailsSecrets {
  /** Passphrase; null: none was given. */
  readonly passphrase: string | null;
}

export const RestoreMails = defineJob('restore_mails', {
  queue: JobQueue.Restore,
  payload: RestoreMailsPayload,
  // The passphrase is erased when the job ends; the user can start the restore again, and it goes on.
  resumes: false,
  isTrialRun: ({ phase }) => phase === 'plan',
  audited: {
    act: 'mails.restore',
    factsOfStart: ({ restoreId, phase }) =>
      phase === 'plan' ? null : { target: { type: 'restore', id: restoreId } },
    factsOfEnd: (result) => ('inserted' in result ? pickFacts(result, ...COUNT_NAMES) : null),
  },
});

/** Runs the dry run of a restore, or the restore; see `RestorePlanner` and `RestoreRunner`. */
@Injectable()
@HandlesJob(RestoreMails)
export class RestoreMailsHandler implements JobHandler<RestoreMailsPayload> {
  constructor(
    private readonly planner: RestorePlanner,
    private readonly runner: RestoreRunner,
  ) {}

  async run({ restoreId, phase }: RestoreMailsPayload, job: JobContext): Promise<JobResult> {
    if (job.accountId === null) throw new MailboxAccountGone();
    const owner = { userId: job.userId, accountId: job.accountId };
    if (phase === 'plan') {
      // The phase distinguishes the end of a dry run from that of the restore, also when it fails.
      job.report({ restoreId, phase });
      const { mails, bytes, encrypted, tooLarge, labelsToCreate } = await this.planner.plan(
        owner,
        restoreId,
        job,
      );
      return { restoreId, phase, mails, bytes, encrypted, tooLarge, labelsToCreate: labelsToCreate.length };
    }
    const { passphrase } = job.secrets<RestoreMailsSecrets>();
    return { restoreId, ...(await this.runner.run(owner, restoreId, passphrase, job)) };
  }
}
