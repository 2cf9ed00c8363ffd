import { Injectable } from '@nestjs/common';
import { IsBoolean, IsUUID } from 'class-validator';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { defineJob, HandlesJob, JobHandler, JobResult } from '../../../platform/jobs/job-definition';
import { JobQueue } from '../../../platform/jobs/job-queue';
import { OffloadPlanner } from './offload-planner';
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

/** Chooses the messages of a plan; see `OffloadPlanner`. */
@Injectable()
@HandlesJob(PlanOffload)
export class PlanOffloadHandler implements JobHandler<PlanOffloadPayload> {
  constructor(
    private readonly planner: OffloadPlanner,
    private readonly confirmation: PlanConfirmation,
  ) {}

  async run({ planId, isScheduled }: PlanOffloadPayload, job: JobContext): Promise<JobResult> {
    const figures = await this.planner.plan(planId, job);
    if (isScheduled && job.accountId !== null)
      await this.confirmation.confirmScheduled({ userId: job.userId, accountId: job.accountId }, planId);
    return { planId, ...figures };
  }
}
