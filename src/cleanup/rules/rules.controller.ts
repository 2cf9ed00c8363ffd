import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import {
  Authenticated,
  CurrentUser,
  OpenToApiKeys,
  OwnsAccount,
  ReadsOnly,
} from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { SomeFieldsPipe } from '../../platform/validation/some-fields.pipe';
import {
  AccountProblems,
  ArchiveWithoutMailbox,
  ProviderProblems,
} from '../../providers/port/mail-provider.errors';
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

  /**
   * List the rules of a mailbox, newest first. Active and inactive rules, each with its last run and the number of
   * messages it found.
   */
  @Get()
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<RuleResponse[]> {
    return (await this.rules.list(user.id, accountId)).map(toRuleResponse);
  }

  /**
   * Create a rule. A rule with a schedule runs by itself unless `is_active` is false; a rule without one runs on
   * demand.
   */
  @Post()
  @ApiProblems(new RuleLimit())
  @ProviderProblems()
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateRuleDto,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.create(user.id, accountId, body));
  }

  /**
   * Preview what conditions would find. Applies no action. Spam and trash are searched only if a condition asks for
   * them.
   */
  @Post('preview')
  @ReadsOnly()
  @HttpCode(200)
  @ProviderProblems()
  async preview(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: PreviewRuleDto,
  ): Promise<RulePreviewResponse> {
    return this.previews.preview(user.id, accountId, toConditions(body.conditions));
  }

  /** Create a rule from a template. The rule can be changed like any other. */
  @Post('from-template')
  @ApiProblems(new ResourceNotFound('rule template'), new RuleLimit(), new ArchiveWithoutMailbox())
  @NotInWebClient('names the rule in English; pages create it in the language of the page')
  async createFromTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateRuleFromTemplateDto,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.createFromTemplate(user.id, accountId, body.templateId));
  }

  /** Change a rule. Omitted fields stay unchanged. `conditions` replaces all conditions. */
  @Put(':ruleId')
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

  /** Switch a rule on or off. A rule that is off does not run on its schedule. A run in progress continues. */
  @Patch(':ruleId/toggle')
  @ApiProblems(new ResourceNotFound('rule'))
  async toggle(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.toggle(user.id, accountId, ruleId));
  }

  /** Delete a rule. Its changes to messages stay. A run in progress ends. */
  @Delete(':ruleId')
  @HttpCode(204)
  @ApiProblems(new ResourceNotFound('rule'))
  async delete(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<void> {
    return this.rules.delete(user.id, accountId, ruleId);
  }

  /** Run a rule now. Starts a job. Works for rules that are switched off too. */
  @Post(':ruleId/run')
  @HttpCode(202)
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
  /** List the rule templates. Each template contains the conditions, the action and the schedule of a rule. */
  @Get()
  listTemplates(): RuleTemplateResponse[] {
    return RULE_TEMPLATES.map(toRuleTemplateResponse);
  }
}
