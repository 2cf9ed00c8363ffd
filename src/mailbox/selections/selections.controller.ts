import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { ClientSignal } from '../../platform/http/client-signal';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ProviderProblems } from '../../providers/port/mail-provider.errors';
import { CreateSelectionDto } from './dto/selections.dto';
import { SelectionResponse, toSelectionResponse } from './dto/selections.response';
import { SelectionTooLarge } from './selections.errors';
import { SelectionsService } from './selections.service';

@ApiTags('mailbox')
@OperationGroup('mailbox')
@OwnsAccount()
@ProviderProblems()
@Controller('mailbox/:accountId/selections')
export class SelectionsController {
  constructor(private readonly selections: SelectionsService) {}

  /**
   * Freeze the messages that a query finds now. At most 50,000. For 15 minutes the selection stands for exactly these
   * messages, even if mail arrives or changes: bulk changes and archiving take its `id` with the `count` that a person has
   * confirmed. A user has 10 selections; the oldest gives way to an eleventh.
   */
  @Post()
  @ApiProblems(new SelectionTooLarge())
  async createSelection(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateSelectionDto,
    @ClientSignal() signal: AbortSignal,
  ): Promise<SelectionResponse> {
    const { query, leaveOut = [] } = body;
    const owner = { userId: user.id, accountId };
    return toSelectionResponse(query, await this.selections.create(owner, { query, leaveOut }, signal));
  }
}
