import { Injectable } from '@nestjs/common';
import { IsBoolean, IsUUID } from 'class-validator';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { ArchivedCopies } from '../../../archive/mails/holds/archived-copies';
import { RemovalForecast } from '../../../archive/retention/removal-forecast';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { Transactions } from '../../../platform/database/transactions';
import { MailboxDisconnected } from '../../../providers/port/mail-provider.errors';
import { LedgerService } from '../../continuous/ledger/ledger.service';
import { IntegrityFindingsService } from '../../integrity/integrity-findings.service';
import { PlanGone } from '../offload.errors';
import { MessageChoice } from './message-choice';
import { OffloadItemsRepository } from './offload-items.repository';
import { OffloadPlansRepository } from './offload-plans.repository';
import { PlanOffloadRun } from './plan-offload.run';
import { PlanConfirmation } from './plan-confirmation';

export class PlanOffloadPayload {
  @IsUUID()
  planId: string;

  /** Whether the plan is confirmed without a person, as a schedule does, if it is small enough. */
  @IsBoolean()
  isScheduled: boolean;
}

/** The job changes nothing: the plan is shown, and its owner decides. */
export const PlanOffload = defineJob('plan_offload', {
  queue: JobQueue.InteractiveBulk,
  payload: PlanOffloadPayload,
  notifies: 'failure',
  // The chosen messages would be out of date.
  resumes: false,
});

/**
 * Chooses the messages of a plan; see `PlanOffloadRun`. It has eleven dependencies because each message is checked against
 * the ledger, the copies, the findings and the retention policies.
 */
@Injectable()
@HandlesJob(PlanOffload)
export class PlanOffloadHandler implements JobHandler<PlanOffloadPayload> {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly index: MessageIndexService,
    private readonly ledger: LedgerService,
    private readonly choice: MessageChoice,
    private readonly copies: ArchivedCopies,
    private readonly findings: IntegrityFindingsService,
    private readonly forecast: RemovalForecast,
    private readonly plans: OffloadPlansRepository,
    private readonly items: OffloadItemsRepository,
    private readonly transactions: Transactions,
    private readonly confirmation: PlanConfirmation,
  ) {}

  async run({ planId, isScheduled }: PlanOffloadPayload, job: JobContext): Promise<JobResult> {
    if (job.accountId === null) throw new MailboxDisconnected();
    const owner = { userId: job.userId, accountId: job.accountId };
    const account = await this.accounts.requireUsable(owner.userId, owner.accountId);
    const plan = await this.plans.find(owner, planId);
    if (!plan) throw new PlanGone();
    // The process may have ended between the commit of the plan and the end of the job.
    const isMade = plan.status !== 'planning' && plan.figures;
    const { index, ledger, choice, copies, findings, forecast, plans, items, transactions } = this;
    const services = { index, ledger, choice, copies, findings, forecast, plans, items, transactions };
    const figures = isMade ? plan.figures : await new PlanOffloadRun(account, plan, job, services).run();
    if (isScheduled) await this.confirmation.confirmScheduled(owner, planId);
    return { planId, ...figures };
  }
}
