import { ApiPropertyOptional } from '@nestjs/swagger';
import { QueryLimit } from '../common/http/validation/query-transforms';

const MAX_SCANNED = 500;

export class LiveAttachmentsQuery {
  /** How many messages above 100 KB with attachments to look at, newest first; above 500 it is lowered to 500. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_SCANNED, default: 200, example: 200 })
  @QueryLimit(MAX_SCANNED)
  maxResults: number = 200;
}
