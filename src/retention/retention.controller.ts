import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccountNotOwned } from '../access/access.errors';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../access/policies';
import { ClientSignal } from '../common/http/client-signal';
import { ResourceNotFound } from '../common/http/domain-error';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { SomeFieldsPipe } from '../common/validation/some-fields.pipe';
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
import { RetentionPreviews, RetentionRunsService } from './retention-runs.service';
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
    private readonly previews: RetentionPreviews,
  ) {}

  /** Active and inactive ones, with when each last ran and how many mails it has removed. */
  @Get()
  @ApiOperation({ summary: 'The retention policies of the caller, newest first' })
  async list(@CurrentUser() user: AuthenticatedUser): Promise<RetentionPolicyResponse[]> {
    return (await this.policies.list(user.id)).map(toRetentionPolicyResponse);
  }

  /**
   * Archived mail older than `maxAgeDays` is removed every night, of one account or of all, with a label or with any.
   */
  @Post()
  @ApiOperation({ summary: 'Create a retention policy' })
  @ApiProblems(new AccountNotOwned(), new RetentionPolicyLimit())
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: CreateRetentionPolicyDto,
  ): Promise<RetentionPolicyResponse> {
    return toRetentionPolicyResponse(await this.policies.create(user.id, body));
  }

  /**
   * Answers when all of them have run. A client that goes away ends the run after its current batch; what is removed
   * stays removed, and running again goes on with the rest.
   */
  @Post('run')
  @HttpCode(200)
  @ApiOperation({ summary: 'Run all active retention policies of the caller now' })
  @ApiProblems(new RetentionOwnerInactive())
  async run(
    @CurrentUser() user: AuthenticatedUser,
    @ClientSignal() signal: AbortSignal,
  ): Promise<RetentionRunResponse> {
    return toRetentionRunResponse(await this.runs.runNow(user.id, signal));
  }

  /** Of active and inactive policies alike; removes nothing. */
  @Get(':policyId/preview')
  @ApiOperation({ summary: 'What a retention policy would remove right now' })
  @ApiProblems(new ResourceNotFound('retention policy'))
  async preview(
    @CurrentUser() user: AuthenticatedUser,
    @Param('policyId') policyId: string,
    @ClientSignal() signal: AbortSignal,
  ): Promise<RetentionPreviewResponse> {
    return toRetentionPreviewResponse(await this.previews.preview(user.id, policyId, signal));
  }

  /**
   * Fields that are not given stay as they are; `null` takes the account or the label away, so that the policy is for
   * all.
   */
  @Put(':policyId')
  @ApiOperation({ summary: 'Change a retention policy' })
  @ApiProblems(new AccountNotOwned(), new ResourceNotFound('retention policy'))
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @Param('policyId') policyId: string,
    @Body(SomeFieldsPipe) body: UpdateRetentionPolicyDto,
  ): Promise<RetentionPolicyResponse> {
    return toRetentionPolicyResponse(await this.policies.update(user.id, policyId, body));
  }

  /** What it has removed stays removed. */
  @Delete(':policyId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a retention policy' })
  @ApiProblems(new ResourceNotFound('retention policy'))
  async delete(@CurrentUser() user: AuthenticatedUser, @Param('policyId') policyId: string): Promise<void> {
    return this.policies.delete(user.id, policyId);
  }
}
