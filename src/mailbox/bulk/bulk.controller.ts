import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { LongBody } from '../../common/http/body/long-body.decorator';
import { ProviderProblems } from '../providers/mailbox-problems';
import { StartBulkOperationDto } from './bulk-operation.dto';
import { BulkOperationResponse } from './bulk-operation.response';
import { BulkService } from './bulk.service';

@ApiTags('mailbox')
@OwnsAccount()
@ProviderProblems()
@Controller('mailbox/:accountId/messages')
export class BulkController {
  constructor(private readonly bulk: BulkService) {}

  /**
   * Starts a job that applies one action to up to 50,000 messages. `trash` can be undone for 30 days, `delete`
   * cannot. `label` and `unlabel` need a `labelId` that exists.
   */
  @Post('bulk')
  @LongBody()
  @HttpCode(202)
  @ApiOperation({ summary: 'Change many messages in the background' })
  async startBulkOperation(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: StartBulkOperationDto,
  ): Promise<BulkOperationResponse> {
    return this.bulk.start(user.id, accountId, body);
  }
}
