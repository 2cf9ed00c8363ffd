import { ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_PAGE, QueryLimit, QueryPage } from './query-transforms';

export const MAX_PAGE_SIZE = 100;

/** Query of a paged list. */
export class PageQuery {
  /** 1-based page number. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE, default: 1, example: 1 })
  @QueryPage()
  page: number = 1;

  /** Items per page; above 100 it is lowered to 100, and the answer's `limit` says so. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: 50, example: 50 })
  @QueryLimit(MAX_PAGE_SIZE)
  limit: number = 50;
}

/** Rows to skip for a page. */
export function offsetOf(query: Pick<PageQuery, 'page' | 'limit'>): number {
  return (query.page - 1) * query.limit;
}
