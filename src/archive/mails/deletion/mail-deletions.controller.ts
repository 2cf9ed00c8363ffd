import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../../platform/access/policies';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { LongBody } from '../../../platform/http/json-body.guard';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { CountMismatch } from '../../../platform/http/count-mismatch';
import { ArchiveTermNotSupported, TooManyMails } from '../archive.errors';
import { DeleteMailsDto, MAX_CHOSEN_MAILS } from '../dto/chosen-mails.dto';
import { DeleteMailsJobResponse } from '../dto/archive.response';
import { MailDeletionsService } from './mail-deletions.service';

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId')
export class MailDeletionsController {
  constructor(private readonly deletions: MailDeletionsService) {}

  /**
   * Delete archived mails for good. Starts a job that deletes the mails named, or those that match a filter, with their files.
   * They cannot be restored; the mailbox is not touched. `confirmedCount` is the number of mails that the user has seen: if
   * another number would be deleted, nothing is. Mail that is archived later is not deleted.
   */
  @Post('delete')
  @LongBody()
  @HttpCode(202)
  @ApiAcceptedResponse({ type: DeleteMailsJobResponse })
  @ApiProblems(
    new ResourceNotFound('mail'),
    new CountMismatch(1_310),
    new TooManyMails(MAX_CHOSEN_MAILS),
    new ArchiveTermNotSupported('newer_than:2w', { offset: 8, length: 13 }),
  )
  deleteMails(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: DeleteMailsDto,
  ): Promise<DeleteMailsJobResponse> {
    return this.deletions.start({ userId: user.id, accountId }, body);
  }
}
