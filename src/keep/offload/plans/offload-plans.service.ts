import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../../platform/access/audit-trail.port';
import { deleteInBatches } from '../../../platform/database/base.repository';
import { newId } from '../../../platform/crypto/ids';
import { Transactions } from '../../../platform/database/transactions';
import { ResourceNotFound, ValidationFailed } from '../../../platform/http/domain-error';
import { logFailure } from '../../../platform/logging/log-failure';
import { AppConfig } from '../../../platform/config/app-config';
import { ArchiveHolds } from '../../../archive/mails/holds/archive-holds';
import { JobsService } from '../../../platform/jobs/jobs.service';
import { requireReadableQuery } from '../../../providers/port/readable-query';
import { MailboxAccountsService } from '../../../mailbox/accounts/mailbox-accounts.service';
import { RuleChoice } from '../../../cleanup/rules/rule-choice';
import type { Allowed } from '../block-reasons';
import { PlanRefused } from '../offload.errors';
import type { OffloadMode } from '../receipts/receipt';
import { ListedItem, OffloadItemsRepository } from './offload-items.repository';
import { costsOf, ItemState, OffloadPlan, OffloadSelection, PlanCosts, PlanOwner } from './offload-plan';
import { OffloadPlansRepository } from './offload-plans.repository';
import { PlanOffload } from './plan-offload.job';

/** Largest number of plans of an account that wait to be confirmed; the oldest are deleted for new ones. */
const MAX_WAITING = 20;
const SAMPLE = 20;
/** Days for which plans without any move are kept after they expired. */
const KEPT_DAYS = 7;
const MOVABLE: readonly ItemState[] = ['ready', 'verified', 'trashing', 'trashed'];

export interface PlanRequest {
  readonly selection: OffloadSelection;
  readonly mode: OffloadMode;
  readonly allowed: Allowed;
}

export interface StartedPlan {
  readonly planId: string;
  readonly jobId: string;
}

/** A plan with the data on which a person decides. */
export interface ShownPlan {
  readonly plan: OffloadPlan;
  /** Costs of the move; null: the plan is being made. */
  readonly costs: PlanCosts | null;
  /** The first messages that can be moved. */
  readonly sample: readonly ListedItem[];
}

/** Makes plans, shows them and deletes them; `PlanConfirmation` carries them out. */
@Injectable()
export class OffloadPlansService {
  private readonly logger = new Logger(OffloadPlansService.name);

  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly rules: RuleChoice,
    private readonly plans: OffloadPlansRepository,
    private readonly items: OffloadItemsRepository,
    private readonly holds: ArchiveHolds,
    private readonly jobs: JobsService,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /**
   * Starts the job that makes a plan. Nothing is moved.
   * @throws ValidationFailed, MailboxDisconnected, ReauthRequired
   */
  async create(owner: PlanOwner, request: PlanRequest): Promise<StartedPlan> {
    const repeated = await this.jobs.findRepeated(owner.userId);
    if (repeated) {
      return { planId: String(repeated.payload['planId']), jobId: repeated.record.jobId };
    }
    await this.accounts.requireUsable(owner.userId, owner.accountId);
    await this.requireSelection(owner, request.selection);
    return this.transactions.run(async (transaction) => {
      const planId = newId();
      await this.plans.insert({ id: planId, ...owner, ...request, isScheduled: false }, transaction);
      const payload = { planId, isScheduled: false };
      const { jobId } = await this.jobs.start(PlanOffload, owner, payload, { transaction });
      await this.plans.markPlanning(owner, planId, jobId, transaction);
      await this.plans.keepNewest(owner, MAX_WAITING, transaction);
      return { planId, jobId };
    });
  }

  /**
   * Starts a plan on behalf of a schedule.
   * @param once key of the request: only the first of several calls with the same key starts a plan. @returns null for the
   *   others
   * @throws JobOwnerInactive, TooManyJobs
   */
  async startOnce(owner: PlanOwner, request: PlanRequest, once: string): Promise<StartedPlan | null> {
    return this.transactions.run(async (transaction) => {
      const planId = newId();
      const payload = { planId, isScheduled: true };
      const { jobId } = await this.jobs.start(PlanOffload, owner, payload, { transaction, once });
      if (await this.plans.hasPlan(owner, jobId, transaction)) return null;
      await this.plans.insert({ id: planId, ...owner, ...request, isScheduled: true }, transaction);
      await this.plans.markPlanning(owner, planId, jobId, transaction);
      await this.plans.keepNewest(owner, MAX_WAITING, transaction);
      return { planId, jobId };
    });
  }

  /**
   * @throws ValidationFailed unless exactly one of ids, query and rule is given, and the rule is the account's
   * @throws SearchTermNotSupported
   */
  async requireSelection(owner: PlanOwner, selection: OffloadSelection): Promise<void> {
    const { messageIds, query, ruleId } = selection;
    if ([messageIds, query, ruleId].filter((given) => given !== undefined).length !== 1) {
      throw new ValidationFailed([
        { field: 'select', message: 'select must have exactly one of messageIds, query and ruleId' },
      ]);
    }
    if (query !== undefined)
      requireReadableQuery(await this.accounts.requireOwned(owner.userId, owner.accountId), query);
    if (ruleId === undefined) return;
    if (await this.rules.exists(owner.userId, owner.accountId, ruleId)) return;
    throw new ValidationFailed([
      { field: 'select.ruleId', message: 'ruleId must be a rule of this mailbox' },
    ]);
  }

  /** Plans, newest first, without samples. @param after id of the last plan of the page before */
  async list(owner: PlanOwner, after: string | null, limit: number): Promise<ShownPlan[]> {
    const plans = await this.plans.list(owner, after, limit);
    return plans.map((plan) => ({ plan, costs: this.costs(plan), sample: [] }));
  }

  /** @throws ResourceNotFound */
  async get(owner: PlanOwner, planId: string): Promise<ShownPlan> {
    const plan = await this.find(owner, planId);
    const page = { states: MOVABLE, after: -1, limit: SAMPLE };
    const sample = plan.figures ? await this.items.listPage(plan, page) : [];
    return { plan, costs: this.costs(plan), sample };
  }

  /** A page of messages, in the order of the plan. @throws ResourceNotFound */
  async listMessages(
    owner: PlanOwner,
    planId: string,
    page: { states: readonly ItemState[]; after: number; limit: number },
  ): Promise<ListedItem[]> {
    return this.items.listPage(await this.find(owner, planId), page);
  }

  /** @throws ResourceNotFound, PlanRefused when it is at work, or something was moved because of it */
  async delete(owner: PlanOwner, planId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const plan = await this.plans.lock(owner, planId, transaction);
      if (!plan) throw new ResourceNotFound('offload plan');
      if (plan.status === 'running' || plan.status === 'planning') throw new PlanRefused('plan-running');
      // The receipt proves what was moved: it must not be deleted.
      if (plan.status === 'done' || (plan.counts?.trashed ?? 0) > 0) throw new PlanRefused('plan-done');
      // Messages that were being moved when the job ended may be in the trash.
      if (plan.startedAt !== null) throw new PlanRefused('plan-running');
      await this.holds.release(planId, null, transaction);
      await this.plans.delete(owner, planId, transaction);
      const { userId, accountId } = owner;
      const target = { type: 'offload-plan', id: planId };
      await this.audit.record({ action: 'offload.plan-deleted', userId, accountId, target }, transaction);
    });
  }

  /**
   * Releases copies held by jobs that ended without releasing them. Copies of messages whose outcome is not known stay held.
   * @returns the number of mails released
   */
  async releaseAbandoned(): Promise<number> {
    let released = 0;
    for (const planId of await this.holds.findPlans()) {
      const failure = `The archived mails of the offload ${planId} were not let go of`;
      released += (await logFailure(this.logger, failure, () => this.releaseIfAbandoned(planId))) ?? 0;
    }
    return released;
  }

  private releaseIfAbandoned(planId: string): Promise<number> {
    return this.transactions.run(async (transaction) => {
      await this.plans.lockAny(planId, transaction);
      if (await this.plans.isAtWork(planId, transaction)) return 0;
      const unresolved = await this.items.listMailsBeingMoved(planId, transaction);
      return this.holds.releaseOthers(planId, unresolved, transaction);
    });
  }

  /** @returns the number of plans deleted */
  deleteExpired(): Promise<number> {
    return deleteInBatches((limit) => this.plans.deleteExpired(KEPT_DAYS, limit));
  }

  private async find(owner: PlanOwner, planId: string): Promise<OffloadPlan> {
    const plan = await this.plans.find(owner, planId);
    if (!plan) throw new ResourceNotFound('offload plan');
    return plan;
  }

  private costs({ figures, mode }: OffloadPlan): PlanCosts | null {
    if (!figures) return null;
    const { unitCosts, unitsPerMinute } = this.config.provider;
    const of = (endpoint: string): number => unitCosts[endpoint] ?? 0;
    return costsOf(figures.offloadable, mode === 'strict' ? figures.offloadable : 0, {
      get: of('messages.get'),
      change: of('messages.batchModify'),
      history: of('history.list'),
      unitsPerMinute,
    });
  }
}
