import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { AdminOnly, CurrentUser } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { IntegrityChecksService } from './integrity-checks.service';
import { IntegrityCheckResponse } from './dto/integrity.response';

@ApiTags('admin')
@OperationGroup('admin')
@AdminOnly()
@Controller('admin/integrity')
export class IntegrityController {
  constructor(private readonly checks: IntegrityChecksService) {}

  /**
   * Every archived file of every user is read and hashed, and files that no mail names are removed. Owners are told of
   * what is found; the job's result has counts and the ids of damaged mails. A check of yours that is under way is
   * joined.
   */
  @Post('check')
  @HttpCode(202)
  @ApiOperation({ summary: 'Check all archives now, in the background' })
  async checkIntegrity(@CurrentUser() user: AuthenticatedUser): Promise<IntegrityCheckResponse> {
    return this.checks.startEverything(user.id, new Date());
  }
}
