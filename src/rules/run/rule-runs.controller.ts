import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { ResourceNotFound } from '../../common/http/domain-error';
import { ApiProblems } from '../../common/openapi/api-problems';
import { AccountProblems } from '../../mailbox/providers/mailbox-problems';
import { RuleRunResponse } from './rule-run.response';
import { RuleRunsService } from './rule-runs.service';

@ApiTags('rules')
@OwnsAccount()
@Controller('rules/:accountId')
export class RuleRunsController {
  constructor(private readonly runs: RuleRunsService) {}

  /** Works for rules that are switched off as well: that only ends their schedule. */
  @Post(':ruleId/run')
  @HttpCode(202)
  @ApiOperation({ summary: 'Run a rule now, in the background' })
  @ApiProblems(new ResourceNotFound('rule'))
  @AccountProblems()
  async runRule(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<RuleRunResponse> {
    return this.runs.start(user.id, accountId, ruleId);
  }
}
