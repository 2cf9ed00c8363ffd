import { Controller, Delete, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SessionUser } from '../access/authenticated-user';
import { CurrentSession, OwnsAccount, SessionOnly } from '../access/policies';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { MailboxDisconnected } from '../mail-provider/mail-provider.errors';
import { ToggledAccountResponse } from '../mailbox/dto/mailbox-accounts.response';
import { MailboxAccountsService } from '../mailbox/mailbox-accounts.service';
import { DisconnectService } from './disconnect.service';
import { DisconnectQuery } from './dto/account-removal.dto';

@ApiTags('mailbox-accounts')
@OperationGroup('mailboxAccounts')
@SessionOnly()
@Controller('auth/mailbox')
export class MailboxAccountsController {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly connections: DisconnectService,
  ) {}

  /**
   * Switches an account off or on again. Live routes of one that is off answer 409, its schedules rest, its archive
   * stays readable. A disconnected one stays off.
   */
  @Patch(':accountId/toggle')
  @OwnsAccount()
  @ApiProblems(new MailboxDisconnected())
  toggle(
    @CurrentSession() user: SessionUser,
    @Param('accountId') accountId: string,
  ): Promise<ToggledAccountResponse> {
    return this.accounts.toggle(user.id, accountId);
  }

  /**
   * Disconnects a mailbox. Its credentials are revoked and deleted, its jobs cancelled; what was archived stays
   * readable unless `purge` is set, which removes it as a job.
   */
  @Delete(':accountId')
  @HttpCode(204)
  @OwnsAccount()
  async disconnect(
    @CurrentSession() user: SessionUser,
    @Param('accountId') accountId: string,
    @Query() query: DisconnectQuery,
  ): Promise<void> {
    await this.connections.disconnect(user.id, accountId, query.purge ?? false);
  }
}
