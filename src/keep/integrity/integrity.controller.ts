import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { AdminOnly, CurrentUser } from '../../platform/access/policies';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { IntegrityChecksService } from './integrity-checks.service';
import { IntegrityCheckResponse } from './dto/integrity.response';

@ApiTags('admin')
@OperationGroup('admin')
@AdminOnly()
@Controller('admin/integrity')
export class IntegrityController {
  constructor(private readonly checks: IntegrityChecksService) {}

  /**
   * Check all archives now. Starts a job that reads and hashes every archived file of every user and deletes files
   * that belong to no mail. It notifies the owners of damaged mails; its result has the counts and their ids. If a
   * check of yours is running, its job is returned.
   */
  @Post('check')
  @HttpCode(202)
  async checkIntegrity(@CurrentUser() user: AuthenticatedUser): Promise<IntegrityCheckResponse> {
    return this.checks.startEverything(user.id, new Date());
  }
}
