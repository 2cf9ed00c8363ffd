import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys, OwnsAccount, ReadsOnly } from '../access/policies';
import { ResourceNotFound } from '../common/http/domain-error';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { SomeFieldsPipe } from '../common/validation/some-fields.pipe';
import { AccountProblems, ProviderProblems } from '../mail-provider/mail-provider.errors';
import {
  CreateRuleDto,
  CreateRuleFromTemplateDto,
  PreviewRuleDto,
  toConditions,
  UpdateRuleDto,
} from './dto/rules.dto';
import {
  RulePreviewResponse,
  RuleResponse,
  RuleRunResponse,
  RuleTemplateResponse,
  toRuleResponse,
  toRuleTemplateResponse,
} from './dto/rules.response';
import { RulePreviewsService } from './rule-previews.service';
import { RuleRunsService } from './rule-runs.service';
import { RULE_TEMPLATES } from './rule-templates';
import { RuleLimit } from './rules.errors';
import { RulesService } from './rules.service';

@ApiTags('rules')
@OperationGroup('rules')
@OwnsAccount()
@Controller('rules/:accountId')
export class RulesController {
  constructor(
    private readonly rules: RulesService,
    private readonly previews: RulePreviewsService,
    private readonly runs: RuleRunsService,
  ) {}

  /** Active and inactive ones, with when each last ran and how many messages it found. */
  @Get()
  @ApiOperation({ summary: 'Rules of the mailbox, newest first' })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<RuleResponse[]> {
    return (await this.rules.list(user.id, accountId)).map(toRuleResponse);
  }

  /** With a schedule it runs by itself from then on, unless `is_active` is false; without one on demand. */
  @Post()
  @ApiOperation({ summary: 'Create a rule' })
  @ApiProblems(new RuleLimit())
  @ProviderProblems()
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateRuleDto,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.create(user.id, accountId, body));
  }

  /** Applies no action. Spam and trash are looked at only when a condition asks for them. */
  @Post('preview')
  @ReadsOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'What conditions would find' })
  @ProviderProblems()
  async preview(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: PreviewRuleDto,
  ): Promise<RulePreviewResponse> {
    return this.previews.preview(user.id, accountId, toConditions(body.conditions));
  }

  /** The rule can be changed afterwards like any other. */
  @Post('from-template')
  @ApiOperation({ summary: 'Create a rule from a template' })
  @ApiProblems(new ResourceNotFound('rule template'), new RuleLimit())
  async createFromTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateRuleFromTemplateDto,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.createFromTemplate(user.id, accountId, body.templateId));
  }

  /** Fields that are not given stay as they are. Conditions are replaced as a whole. */
  @Put(':ruleId')
  @ApiOperation({ summary: 'Change a rule' })
  @ApiProblems(new ResourceNotFound('rule'))
  @ProviderProblems()
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
    @Body(SomeFieldsPipe) body: UpdateRuleDto,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.update(user.id, accountId, ruleId, body));
  }

  /** Switched off, it keeps to its schedule no more; a run under way goes on. */
  @Patch(':ruleId/toggle')
  @ApiOperation({ summary: 'Switch a rule on or off' })
  @ApiProblems(new ResourceNotFound('rule'))
  async toggle(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.toggle(user.id, accountId, ruleId));
  }

  /** What it has done stays done; a run under way ends. */
  @Delete(':ruleId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a rule' })
  @ApiProblems(new ResourceNotFound('rule'))
  async delete(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<void> {
    return this.rules.delete(user.id, accountId, ruleId);
  }

  /** Works for rules that are switched off as well: that only ends their schedule. */
  @Post(':ruleId/run')
  @HttpCode(202)
  @ApiOperation({ summary: 'Run a rule now, in the background' })
  @ApiProblems(new ResourceNotFound('rule'))
  @AccountProblems()
  async run(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<RuleRunResponse> {
    return this.runs.start(user.id, accountId, ruleId);
  }
}

@ApiTags('rules')
@OperationGroup('rules')
@Authenticated()
@OpenToApiKeys()
@Controller('rules/templates')
export class RuleTemplatesController {
  /** To start from: each has the conditions, the action and the schedule of a rule. */
  @Get()
  @ApiOperation({ summary: 'Templates of rules' })
  listTemplates(): RuleTemplateResponse[] {
    return RULE_TEMPLATES.map(toRuleTemplateResponse);
  }
}
