import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { ListsRows } from '../../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount } from '../../../platform/access/policies';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { LongBody } from '../../../platform/http/json-body.guard';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import {
  EncryptionNotConfigured,
  PassphraseInvalid,
  PassphrasesBusy,
} from '../../../archive/passphrases/encryption.errors';
import { ArchivePassphrase, PassphraseHeader } from '../../../archive/passphrases/passphrase-header';
import { AccountProblems, SearchTermNotSupported } from '../../../providers/port/mail-provider.errors';
import {
  ConfirmOffloadPlanDto,
  CreateOffloadPlanDto,
  ListPlanMessagesQuery,
  ListPlansQuery,
  OffloadAllowDto,
} from '../dto/offload.dto';
import {
  OffloadMessagesResponse,
  OffloadPlanResponse,
  OffloadPlansResponse,
  OffloadPlanStartedResponse,
  OffloadStartedResponse,
  toMessagesResponse,
  toOffloadPlanResponse,
  toPlansResponse,
} from '../dto/offload.response';
import { PLAN_REFUSALS, PlanRefused } from '../offload.errors';
import { ITEM_STATES } from './offload-plan';
import { OffloadPlansService } from './offload-plans.service';
import { PlanConfirmation } from './plan-confirmation';

const NO_PLAN = new ResourceNotFound('offload plan');

@ApiTags('offload')
@OperationGroup('offload')
@OwnsAccount()
@Controller('offload/:accountId/plans')
export class OffloadPlansController {
  constructor(
    private readonly plans: OffloadPlansService,
    private readonly confirmation: PlanConfirmation,
  ) {}

  /**
   * Plan which messages can leave the mailbox. Starts a job that looks for each message's copy and says what would stay, and
   * why. Nothing is moved until the plan is confirmed. At most 50,000 messages. The newest 20 plans that wait for confirmation
   * are kept.
   */
  @Post()
  @LongBody()
  @HttpCode(202)
  @AccountProblems()
  @ApiProblems(new SearchTermNotSupported('newer_than:2w'))
  createPlan(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateOffloadPlanDto,
  ): Promise<OffloadPlanStartedResponse> {
    const { select, mode = 'strict', allow = new OffloadAllowDto() } = body;
    const { starred = false, important = false, unread = false } = allow;
    const request = { selection: select, mode, allowed: { starred, important, unread } };
    return this.plans.create({ userId: user.id, accountId }, request);
  }

  /** List offload plans, newest first. Each with its figures and its progress, as `GET …/plans/:planId` has it. */
  @Get()
  @ListsRows()
  async listPlans(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() { after, limit }: ListPlansQuery,
  ): Promise<OffloadPlansResponse> {
    const plans = await this.plans.list({ userId: user.id, accountId }, after ?? null, limit);
    return toPlansResponse(plans, limit);
  }

  /** Get an offload plan. What can be moved, what stays and why, what the move costs, and its progress. */
  @Get(':planId')
  @ApiProblems(NO_PLAN)
  async getPlan(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('planId') planId: string,
  ): Promise<OffloadPlanResponse> {
    return toOffloadPlanResponse(await this.plans.get({ userId: user.id, accountId }, planId));
  }

  /** List the messages of an offload plan, in its order. Each with its state, and with the reason if it stays. */
  @Get(':planId/messages')
  @ListsRows()
  @ApiProblems(NO_PLAN)
  async listPlanMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('planId') planId: string,
    @Query() { state, after, limit }: ListPlanMessagesQuery,
  ): Promise<OffloadMessagesResponse> {
    const page = { states: state ? [state] : ITEM_STATES, after: after ?? -1, limit };
    const items = await this.plans.listMessages({ userId: user.id, accountId }, planId, page);
    return toMessagesResponse(items, limit);
  }

  /** Delete an offload plan for which nothing was moved. One that has moved messages stays, with its receipt. */
  @Delete(':planId')
  @HttpCode(204)
  @ApiProblems(NO_PLAN, new PlanRefused('plan-running'), new PlanRefused('plan-done'))
  deletePlan(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('planId') planId: string,
  ): Promise<void> {
    return this.plans.delete({ userId: user.id, accountId }, planId);
  }

  /**
   * Confirm an offload plan. Starts a job that reads and compares the copy of each message, and then moves the message to the
   * trash, which Gmail empties after 30 days. Nothing is deleted. Messages whose copies are not whole, and those that were
   * changed since the plan was made, stay. The job can be undone for 29 days. A plan that was stopped continues. At its end
   * there is a signed receipt.
   */
  @Post(':planId/confirm')
  @HttpCode(202)
  @PassphraseHeader()
  @ApiProblems(
    NO_PLAN,
    ...PLAN_REFUSALS.map((refusal) => new PlanRefused(refusal)),
    new EncryptionNotConfigured(),
    new PassphraseInvalid(),
    new PassphrasesBusy(),
  )
  @AccountProblems()
  confirmPlan(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Param('planId') planId: string,
    @Body() body: ConfirmOffloadPlanDto,
  ): Promise<OffloadStartedResponse> {
    return this.confirmation.confirm({ userId: user.id, accountId }, planId, body, passphrase);
  }
}
