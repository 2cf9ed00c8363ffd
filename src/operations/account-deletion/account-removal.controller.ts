import { Controller, Delete, HttpCode, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { CurrentSession, OwnsAccount, SessionOnly } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { OffloadRunning } from '../../keep/offload/offload.errors';
import { ArchiveWithoutMailbox } from '../../providers/port/mail-provider.errors';
import { DisconnectService } from './disconnect.service';
import { DisconnectQuery } from './dto/account-removal.dto';

@ApiTags('mailbox-accounts')
@OperationGroup('mailboxAccounts')
@SessionOnly()
@Controller('auth/mailbox')
export class AccountRemovalController {
  constructor(private readonly connections: DisconnectService) {}

  /**
   * Disconnect a mailbox. Revokes and deletes its credentials and cancels its jobs. A job deletes what was read from
   * the mailbox: its index, figures and tracking results. Archived mail stays readable, unless `purge` is set: then it
   * is deleted too. An archive without a mailbox can only be deleted with `purge`.
   */
  @Delete(':accountId')
  @HttpCode(204)
  @OwnsAccount()
  @ApiProblems(new OffloadRunning(), new ArchiveWithoutMailbox())
  async disconnect(
    @CurrentSession() user: SessionUser,
    @Param('accountId') accountId: string,
    @Query() query: DisconnectQuery,
  ): Promise<void> {
    await this.connections.disconnect(user.id, accountId, query.purge ?? false);
  }
}
