import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { ApiProblems } from '../../common/openapi/api-problems';
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
  @ApiProblems(404, 409)
  async runRule(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('ruleId') ruleId: string,
  ): Promise<RuleRunResponse> {
    return this.runs.start(user.id, accountId, ruleId);
  }
}
