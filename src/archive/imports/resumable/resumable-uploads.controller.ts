import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../../platform/access/policies';
import { ResourceNotFound, ValidationFailed } from '../../../platform/http/domain-error';
import { StreamedBody } from '../../../platform/http/json-body.guard';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { NotInWebClient } from '../../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { TooManyJobs } from '../../../platform/jobs/jobs.errors';
import { ImportJobResponse } from '../dto/imports.response';
import { CreateUploadDto } from '../dto/uploads.dto';
import { ResumableUploadResponse, toResumableUploadResponse } from '../dto/uploads.response';
import {
  ChunkBytesExpected,
  TooManyUploads,
  UploadBusy,
  UploadChunkTooLarge,
  UploadIncomplete,
  UploadMissing,
  UploadOffsetWrong,
  UploadOverQuota,
  UploadSpaceExhausted,
  UploadStalled,
  UploadTooLarge,
} from '../imports.errors';
import { ImportMbox } from '../files/import-mbox.job';
import { CHUNK_BYTES, ResumableUploadsService } from './resumable-uploads.service';
import { UPLOAD_OFFSET, UploadOffset } from './upload-offset';

@ApiTags('import')
@OperationGroup('import')
@OwnsAccount()
@Controller('import/:accountId/uploads')
export class ResumableUploadsController {
  constructor(private readonly uploads: ResumableUploadsService) {}

  /**
   * Begin an upload that can be paused and resumed. Send the file in chunks, then complete the upload. It is given up a day
   * after its last chunk, or when another upload needs the room and nothing has arrived for 15 minutes. It counts like an
   * upload in one request: at most two of a user can wait for the end of their import, together half as large again as
   * the room in the storage quota.
   */
  @Post()
  @ApiProblems(
    new TooManyJobs(),
    new TooManyUploads(2),
    new UploadTooLarge(50 * 1024 ** 3),
    new UploadOverQuota(),
    new UploadSpaceExhausted(),
  )
  @NotInWebClient('called by `uploadFile` of the SDK')
  async createUpload(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateUploadDto,
  ): Promise<ResumableUploadResponse> {
    return toResumableUploadResponse(await this.uploads.create({ userId: user.id, accountId }, body));
  }

  /** List uploads that are not complete. Returns the uploads that can be resumed, newest first. */
  @Get()
  async listUploads(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<ResumableUploadResponse[]> {
    const uploads = await this.uploads.list({ userId: user.id, accountId });
    return uploads.map(toResumableUploadResponse);
  }

  /** Get an upload that is not complete. Its `offset` says where the next chunk begins. */
  @Get(':uploadId')
  @ApiProblems(new ResourceNotFound('upload'))
  @NotInWebClient('called by `uploadFile` of the SDK')
  async getUpload(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('uploadId') uploadId: string,
  ): Promise<ResumableUploadResponse> {
    return toResumableUploadResponse(await this.uploads.get({ userId: user.id, accountId }, uploadId));
  }

  /**
   * Send the next chunk of an upload. Takes the bytes of the file from `Upload-Offset` on, at most `chunkBytes`; the answer
   * says where the next chunk begins. Bytes that have arrived of a request that breaks off count: get the upload and go on at
   * its `offset`. A chunk that begins elsewhere is refused, and the right offset is in the header `Upload-Offset` of the answer;
   * so is a second chunk while one is under way.
   */
  @Patch(':uploadId')
  @StreamedBody()
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiHeader({
    name: UPLOAD_OFFSET,
    required: true,
    description: 'Where the chunk begins: the number of bytes sent before.',
    schema: { type: 'integer', minimum: 0 },
    example: 16_777_216,
  })
  @ApiProblems(
    new ResourceNotFound('upload'),
    new UploadOffsetWrong(16_777_216),
    new UploadBusy(),
    new UploadMissing(),
    new UploadChunkTooLarge(CHUNK_BYTES),
    new ChunkBytesExpected(),
    new UploadStalled(),
    new UploadSpaceExhausted(),
    new ValidationFailed([{ field: UPLOAD_OFFSET, message: `${UPLOAD_OFFSET} must be a number of bytes` }]),
  )
  @NotInWebClient('called by `uploadFile` of the SDK')
  async uploadChunk(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('uploadId') uploadId: string,
    @UploadOffset() offset: number,
    @Req() request: Request,
  ): Promise<ResumableUploadResponse> {
    if (!request.is('application/octet-stream')) throw new ChunkBytesExpected();
    const owner = { userId: user.id, accountId };
    return toResumableUploadResponse(await this.uploads.append(owner, uploadId, offset, request));
  }

  /** Give up an upload that is not complete. Deletes the bytes that have arrived. */
  @Delete(':uploadId')
  @HttpCode(204)
  @ApiProblems(new ResourceNotFound('upload'))
  deleteUpload(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('uploadId') uploadId: string,
  ): Promise<void> {
    return this.uploads.delete({ userId: user.id, accountId }, uploadId);
  }

  /**
   * Import an upload that is complete. Starts the same job as an upload in one request. Done again, it answers the same
   * job.
   */
  @Post(':uploadId/complete')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: ImportJobResponse })
  @ApiProblems(new ResourceNotFound('upload'), new UploadIncomplete(1_024), new UploadMissing())
  @NotInWebClient('called by `uploadFile` of the SDK')
  completeUpload(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('uploadId') uploadId: string,
  ): Promise<ImportJobResponse> {
    return this.uploads.complete({ userId: user.id, accountId }, uploadId, ImportMbox);
  }
}
