import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { MAX_PAGE_SIZE, PageQuery } from '../../../platform/validation/page.dto';
import { QueryLimit } from '../../../platform/validation/query-transforms';

const SWITCH: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false };

export class ListNotificationsQuery extends PageQuery {
  /** Notifications per page. Values above 100 are lowered to 100; the response's `limit` is the value used. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: 20, example: 20 })
  @QueryLimit(MAX_PAGE_SIZE)
  override limit: number = 20;

  /** Only unread notifications: `1` or `true`. */
  @ApiPropertyOptional({ enum: ['1', 'true', '0', 'false'], default: 'false', example: '1' })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && Object.hasOwn(SWITCH, value) ? SWITCH[value] : value,
  )
  @IsBoolean({ message: 'unread_only must be 1, true, 0 or false' })
  unread_only: boolean = false;
}
