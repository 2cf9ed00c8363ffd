import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { ImapImportsService } from './imap-imports.service';
import { ImportImapDto } from './import-imap.dto';
import { ImportImapResponse } from './import-imap.response';

@ApiTags('import')
@OwnsAccount()
@Controller('import/:accountId')
export class ImapImportsController {
  constructor(private readonly imports: ImapImportsService) {}

  /** Starts a job that copies a folder of an IMAP server into the archive. Nothing on the server changes. */
  @Post('imap')
  @HttpCode(202)
  @ApiOperation({ summary: 'Import a folder from an IMAP server' })
  @ApiAcceptedResponse({ type: ImportImapResponse })
  import(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: ImportImapDto,
  ): Promise<ImportImapResponse> {
    return this.imports.start(user.id, accountId, body);
  }
}
