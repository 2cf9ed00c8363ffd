import { Controller, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { CurrentSession, OwnsAccount, SessionOnly } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ArchiveWithoutMailbox, MailboxDisconnected } from '../../providers/port/mail-provider.errors';
import { ToggledAccountResponse } from './dto/mailbox-accounts.response';
import { MailboxAccountsService } from './mailbox-accounts.service';

@ApiTags('mailbox-accounts')
@OperationGroup('mailboxAccounts')
@SessionOnly()
@Controller('auth/mailbox')
export class MailboxAccountsController {
  constructor(private readonly accounts: MailboxAccountsService) {}

  /**
   * Switch a mailbox account off or on. While an account is off, its live routes answer 409 and its schedules pause;
   * its archive stays readable. A disconnected account stays off.
   */
  @Patch(':accountId/toggle')
  @OwnsAccount()
  @ApiProblems(new MailboxDisconnected(), new ArchiveWithoutMailbox())
  toggle(
    @CurrentSession() user: SessionUser,
    @Param('accountId') accountId: string,
  ): Promise<ToggledAccountResponse> {
    return this.accounts.toggle(user.id, accountId);
  }
}
