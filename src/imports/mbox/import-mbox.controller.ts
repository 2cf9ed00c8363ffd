import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { StreamedBody } from '../../common/http/body/streamed-body.decorator';
import { ValidationFailed } from '../../common/http/domain-error';
import { ApiProblems } from '../../common/openapi/api-problems';
import { ImportUploads } from '../uploads/import-uploads.service';
import {
  MultipartExpected,
  UploadSpaceExhausted,
  UploadStalled,
  UploadTooLarge,
} from '../uploads/upload.errors';
import { ImportMbox } from './import-mbox.job';
import { ImportJobResponse } from './import-mbox.response';

const MULTIPART = {
  schema: {
    type: 'object',
    required: ['file'],
    properties: {
      file: {
        type: 'string',
        format: 'binary',
        description: 'An mbox file of any kind, or one packed with gzip',
      },
    },
  },
} as const;

@ApiTags('import')
@OwnsAccount()
@Controller('import/:accountId')
export class ImportMboxController {
  constructor(private readonly uploads: ImportUploads) {}

  /** The file goes to disk as it arrives; the answer comes when it is there, and a job imports it. */
  @Post('mbox')
  @StreamedBody()
  @HttpCode(202)
  @ApiOperation({ summary: 'Import an mbox file into the archive' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: MULTIPART.schema as never })
  @ApiAcceptedResponse({ type: ImportJobResponse })
  @ApiProblems(
    new UploadStalled(),
    new UploadTooLarge(50 * 1024 ** 3),
    new MultipartExpected(),
    new UploadSpaceExhausted(),
    new ValidationFailed([{ field: 'file', message: 'file is required' }]),
  )
  importMbox(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Req() request: Request,
  ): Promise<ImportJobResponse> {
    return this.uploads.start(request, ImportMbox, { userId: user.id, accountId });
  }
}
