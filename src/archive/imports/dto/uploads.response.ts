import { ApiProperty } from '@nestjs/swagger';
import type { ResumableUpload } from '../resumable/resumable-uploads.repository';
import { CHUNK_BYTES, expiryOf } from '../resumable/resumable-uploads.service';

/** An upload in chunks that is not complete. */
export class ResumableUploadResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;

  /** @example "All mail.mbox" */
  filename: string;

  /** Bytes of the whole file. */
  @ApiProperty({ type: 'integer', example: 5_368_709_120 })
  size: number;

  /** Bytes that have arrived: the next chunk begins here. */
  @ApiProperty({ type: 'integer', example: 16_777_216 })
  offset: number;

  /** The most bytes that a chunk may have. */
  @ApiProperty({ type: 'integer', example: CHUNK_BYTES })
  chunkBytes: number;

  /** Time at which the upload is deleted unless a chunk arrives. */
  @ApiProperty({ format: 'date-time', example: '2024-03-01T08:00:00.000Z' })
  expires_at: string;
}

export const toResumableUploadResponse = (upload: ResumableUpload): ResumableUploadResponse => ({
  id: upload.id,
  filename: upload.filename,
  size: upload.sizeBytes,
  offset: upload.receivedBytes,
  chunkBytes: CHUNK_BYTES,
  expires_at: expiryOf(upload).toISOString(),
});
