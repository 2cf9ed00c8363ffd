import { Body, Controller, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession, OwnsAccount, SessionOnly } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ArchivesService } from './archives.service';
import { CreateArchiveDto, RenameArchiveDto } from './dto/archives.dto';
import { MailboxAccountResponse, toMailboxAccountResponse } from './dto/mailbox-accounts.response';
import { ArchiveExists, ArchiveLimit, MailboxNotRenamable } from './mailbox-accounts.errors';

@ApiTags('mailbox-accounts')
@OperationGroup('mailboxAccounts')
@SessionOnly()
@Controller('auth/mailbox')
export class ArchivesController {
  constructor(private readonly archives: ArchivesService) {}

  /**
   * Create an archive without a mailbox. Mail gets into it by imports; it is listed, searched, exported, encrypted and deleted as
   * the archive of a mailbox. Routes that read or change a mailbox answer 409 `archive-without-mailbox`. It does not count
   * towards the maximum of mailboxes; a user can have 50 of them.
   */
  @Post('archives')
  @Authenticated()
  @ApiProblems(new ArchiveLimit(), new ArchiveExists())
  async createArchive(
    @CurrentSession() user: SessionUser,
    @Body() { name }: CreateArchiveDto,
  ): Promise<MailboxAccountResponse> {
    return toMailboxAccountResponse(await this.archives.create(user.id, name), new Date());
  }

  /** Rename an archive without a mailbox. The name of a mailbox is its address, which stays. */
  @Patch(':accountId')
  @OwnsAccount()
  @ApiProblems(new ArchiveExists(), new MailboxNotRenamable())
  async renameArchive(
    @CurrentSession() user: SessionUser,
    @Param('accountId') accountId: string,
    @Body() { name }: RenameArchiveDto,
  ): Promise<MailboxAccountResponse> {
    return toMailboxAccountResponse(await this.archives.rename(user.id, accountId, name), new Date());
  }
}
