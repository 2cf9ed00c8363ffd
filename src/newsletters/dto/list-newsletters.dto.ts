import { ApiPropertyOptional } from '@nestjs/swagger';
import { QueryLimit } from '../../common/http/validation/query-transforms';

const MAX_LISTED = 2_000;

export class ListNewslettersQuery {
  /** How many senders, those with most messages first; above 2,000 it is lowered to 2,000. */
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LISTED,
    default: MAX_LISTED,
    example: 100,
  })
  @QueryLimit(MAX_LISTED)
  limit: number = MAX_LISTED;
}
