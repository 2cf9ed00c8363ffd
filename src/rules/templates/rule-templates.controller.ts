import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OpenToApiKeys } from '../../common/auth/api-key-policies';
import { Authenticated } from '../../common/auth/policies';
import { RuleTemplateResponse, toRuleTemplateResponse } from './rule-template.response';
import { RULE_TEMPLATES } from './rule-templates';

@ApiTags('rules')
@Authenticated()
@OpenToApiKeys()
@Controller('rules/templates')
export class RuleTemplatesController {
  /** To start from: each has the conditions, the action and the schedule of a rule. */
  @Get()
  @ApiOperation({ summary: 'Templates of rules' })
  listRuleTemplates(): RuleTemplateResponse[] {
    return RULE_TEMPLATES.map(toRuleTemplateResponse);
  }
}
