import { Injectable } from '@nestjs/common';
import { IsIn, IsUUID } from 'class-validator';
import { pickFacts } from '../../platform/access/audit-trail.port';
import { MailboxAccountGone } from '../../archive/mails/archive.errors';
import type { JobContext } from '../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../platform/jobs/job-definition';
import { JobQueue } from '../../platform/jobs/job-queue';
import { COUNT_NAMES } from './restore-counts';
import { RestorePlanner } from './restore-planner';
import { MessageBudget } from '../../archive/mails/archiving/message-budget';
import { MailContentReader } from '../../archive/mails/mail-content-reader';
import { PassphrasesService } from '../../archive/passphrases/passphrases.service';
import { LabelNames } from '../../mailbox/labels/label-names';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { Destinations } from './destinations/destinations';
import { RestoreItemsRepository } from './restore-items.repository';
import { RestoreMailsRun } from './restore-mails.run';
import { RestoreTimings } from './restore-timings';
import { type RestoreOwner, RestoresRepository } from './restores.repository';

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

/** Runs the dry run of a restore, or the restore; see `RestorePlanner` and `RestoreMailsRun`. */
@Injectable()
@HandlesJob(RestoreMails)
export class RestoreMailsHandler implements JobHandler<RestoreMailsPayload> {
  constructor(
    private readonly planner: RestorePlanner,
    private readonly restores: RestoresRepository,
    private readonly items: RestoreItemsRepository,
    private readonly destinations: Destinations,
    private readonly contents: MailContentReader,
    private readonly passphrases: PassphrasesService,
    private readonly names: LabelNames,
    private readonly budget: MessageBudget,
    private readonly timings: RestoreTimings,
  ) {}

  /** @throws ResourceNotFound, the errors of the destination, PassphraseInvalid */
  async run({ restoreId, phase }: RestoreMailsPayload, job: JobContext): Promise<JobResult> {
    if (job.accountId === null) throw new MailboxAccountGone();
    const owner = { userId: job.userId, accountId: job.accountId };
    if (phase === 'plan') return this.plan(owner, restoreId, job);
    const { passphrase } = job.secrets<RestoreMailsSecrets>();
    const restore = await this.restores.findOwned(owner, restoreId);
    if (!restore) throw new ResourceNotFound('restore');
    const { restores, items, destinations, contents, passphrases, names, budget, timings } = this;
    const services = { restores, items, destinations, contents, passphrases, names, budget, timings };
    return { restoreId, ...(await new RestoreMailsRun(restore, passphrase, job, services).run()) };
  }

  private async plan(owner: RestoreOwner, restoreId: string, job: JobContext): Promise<JobResult> {
    const phase = 'plan';
    // The phase distinguishes the end of a dry run from that of the restore, also when it fails.
    job.report({ restoreId, phase });
    const { mails, bytes, encrypted, tooLarge, labelsToCreate } = await this.planner.plan(
      owner,
      restoreId,
      job,
    );
    return { restoreId, phase, mails, bytes, encrypted, tooLarge, labelsToCreate: labelsToCreate.length };
  }
}
