import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { LongBody } from '../../common/http/body/long-body.decorator';
import { CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { ApiProblems } from '../../common/openapi/api-problems';
import { StartBulkOperationDto } from './bulk-operation.dto';
import { BulkOperationResponse } from './bulk-operation.response';
import { BulkService } from './bulk.service';

@ApiTags('mailbox')
@OwnsAccount()
@ApiProblems(409, 503)
@Controller('mailbox/:accountId/messages')
export class BulkController {
  constructor(private readonly bulk: BulkService) {}

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
