import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccountNotOwned } from '../../platform/access/access.errors';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../platform/access/policies';
import { ClientSignal } from '../../platform/http/client-signal';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { SomeFieldsPipe } from '../../platform/validation/some-fields.pipe';
import { CreateRetentionPolicyDto, UpdateRetentionPolicyDto } from './dto/retention.dto';
import {
  RetentionPolicyResponse,
  RetentionPreviewResponse,
  RetentionRunResponse,
  toRetentionPolicyResponse,
  toRetentionPreviewResponse,
  toRetentionRunResponse,
} from './dto/retention.response';
import { RetentionPoliciesService } from './retention-policies.service';
import { RetentionRunsService } from './retention-runs.service';
import { RetentionOwnerInactive, RetentionPolicyLimit } from './retention.errors';

@ApiTags('retention')
@OperationGroup('retention')
@Authenticated()
@OpenToApiKeys()
@Controller('retention')
export class RetentionController {
  constructor(
    private readonly policies: RetentionPoliciesService,
    private readonly runs: RetentionRunsService,
  ) {}

  /**
   * List your retention policies, newest first. Includes active and inactive policies, each with its last run and the
   * number of mails that it has deleted.
   */
  @Get()
  async list(@CurrentUser() user: AuthenticatedUser): Promise<RetentionPolicyResponse[]> {
    return (await this.policies.list(user.id)).map(toRetentionPolicyResponse);
  }

  /**
   * Create a retention policy. Every night it deletes archived mail older than `maxAgeDays`: of one account or all
   * accounts, with one label or any. Age counts from the later of `date` and `received_at`, so that mail of a mailbox that was
   * moved is never deleted sooner.
   */
  @Post()
  @ApiProblems(new AccountNotOwned(), new RetentionPolicyLimit())
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: CreateRetentionPolicyDto,
  ): Promise<RetentionPolicyResponse> {
    return toRetentionPolicyResponse(await this.policies.create(user.id, body));
  }

  /**
   * Run all your active retention policies now. Answers when all of them have run. If the client disconnects, the run
   * stops after its current batch; running again continues with the rest.
   */
  @Post('run')
  @HttpCode(200)
  @ApiProblems(new RetentionOwnerInactive())
  async run(
    @CurrentUser() user: AuthenticatedUser,
    @ClientSignal() signal: AbortSignal,
  ): Promise<RetentionRunResponse> {
    return toRetentionRunResponse(await this.runs.runNow(user.id, signal));
  }

  /** Preview what a retention policy would delete. Works for active and inactive policies. Deletes nothing. */
  @Get(':policyId/preview')
  @ApiProblems(new ResourceNotFound('retention policy'))
  async preview(
    @CurrentUser() user: AuthenticatedUser,
    @Param('policyId') policyId: string,
    @ClientSignal() signal: AbortSignal,
  ): Promise<RetentionPreviewResponse> {
    return toRetentionPreviewResponse(await this.runs.preview(user.id, policyId, signal));
  }

  /**
   * Change a retention policy. Omitted fields stay unchanged. `null` removes the account or the label, so that the
   * policy applies to all.
   */
  @Put(':policyId')
  @ApiProblems(new AccountNotOwned(), new ResourceNotFound('retention policy'))
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @Param('policyId') policyId: string,
    @Body(SomeFieldsPipe) body: UpdateRetentionPolicyDto,
  ): Promise<RetentionPolicyResponse> {
    return toRetentionPolicyResponse(await this.policies.update(user.id, policyId, body));
  }

  /** Delete a retention policy. Mail that it has deleted is not restored. */
  @Delete(':policyId')
  @HttpCode(204)
  @ApiProblems(new ResourceNotFound('retention policy'))
  async delete(@CurrentUser() user: AuthenticatedUser, @Param('policyId') policyId: string): Promise<void> {
    return this.policies.delete(user.id, policyId);
  }
}
