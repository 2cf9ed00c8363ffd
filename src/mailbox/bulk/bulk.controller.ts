import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { LongBody } from '../../platform/http/json-body.guard';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ProviderProblems } from '../../providers/port/mail-provider.errors';
import { CountMismatch } from '../../platform/http/count-mismatch';
import { SelectionExpired } from '../selections/selections.errors';
import { StartBulkOperationDto } from './dto/bulk-operation.dto';
import { BulkOperationResponse } from './dto/bulk-operation.response';
import { BulkService } from './bulk.service';

@ApiTags('mailbox')
@OperationGroup('mailbox')
@OwnsAccount()
@ProviderProblems()
@Controller('mailbox/:accountId/messages')
export class BulkController {
  constructor(private readonly bulk: BulkService) {}

  /**
   * Starts a job that applies one action to up to 50,000 messages, named by `messageIds` or by `selectionId`. `trash` moves
   * them to the provider's trash, where Gmail keeps them for 30 days; the job can be undone for 29. `delete` is permanent.
   * `label` and `unlabel` need a `labelId` that exists.
   */
  @Post('bulk')
  @LongBody()
  @HttpCode(202)
  @ApiOperation({ summary: 'Change many messages' })
  @ApiProblems(new SelectionExpired(), new CountMismatch(1_310))
  async startBulkOperation(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: StartBulkOperationDto,
  ): Promise<BulkOperationResponse> {
    return this.bulk.start(user.id, accountId, body);
  }
}
