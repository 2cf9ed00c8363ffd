import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReadsOnly } from '../common/auth/api-key-policies';
import type { AuthenticatedUser } from '../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../common/auth/policies';
import { SomeFieldsPipe } from '../common/http/validation/some-fields.pipe';
import { ApiProblems } from '../common/openapi/api-problems';
import { toConditions } from './dto/condition.dto';
import { CreateRuleDto, CreateRuleFromTemplateDto, PreviewRuleDto, UpdateRuleDto } from './dto/rules.dto';
import { RulePreviewResponse } from './preview/rule-preview.response';
import { RulePreviews } from './preview/rule-previews.service';
import { RuleResponse, toRuleResponse } from './rule.response';
import { RulesService } from './rules.service';

@ApiTags('rules')
@OwnsAccount()
@Controller('rules/:accountId')
export class RulesController {
  constructor(
    private readonly rules: RulesService,
    private readonly previews: RulePreviews,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Rules of the mailbox, newest first' })
  async listRules(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<RuleResponse[]> {
    return (await this.rules.list(user.id, accountId)).map(toRuleResponse);
  }

  @Post()
  @ApiOperation({ summary: 'Create a rule' })
  @ApiProblems(409, 503)
  async createRule(
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
  @ApiProblems(409, 503)
  async previewRule(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: PreviewRuleDto,
  ): Promise<RulePreviewResponse> {
    return this.previews.preview(user.id, accountId, toConditions(body.conditions));
  }

  @Post('from-template')
  @ApiOperation({ summary: 'Create a rule from a template' })
  @ApiProblems(404, 409)
  async createRuleFromTemplate(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateRuleFromTemplateDto,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.createFromTemplate(user.id, accountId, body.templateId));
  }

  @Put(':ruleId')
  @ApiOperation({ summary: 'Change a rule' })
  @ApiProblems(404, 409, 503)
  async updateRule(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
    @Body(SomeFieldsPipe) body: UpdateRuleDto,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.update(user.id, accountId, ruleId, body));
  }

  @Patch(':ruleId/toggle')
  @ApiOperation({ summary: 'Switch a rule on or off' })
  @ApiProblems(404)
  async toggleRule(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<RuleResponse> {
    return toRuleResponse(await this.rules.toggle(user.id, accountId, ruleId));
  }

  @Delete(':ruleId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a rule' })
  @ApiProblems(404)
  async deleteRule(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<void> {
    return this.rules.delete(user.id, accountId, ruleId);
  }
}
