import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { PageQuery } from '../../common/http/paging/page.dto';
import { MaxCharacters } from '../../common/http/validation/max-characters';
import { IsPlainText } from '../../common/http/validation/plain-text';

/** The longest address there is. */
const MAX_SEARCH = 320;

/** Which users to list. */
export class ListUsersQuery extends PageQuery {
  /** Part of the address or the name, whatever the case. Every character stands for itself. */
  @ApiPropertyOptional({ maxLength: MAX_SEARCH, example: 'ada@' })
  @IsOptional()
  @IsString()
  @MaxCharacters(MAX_SEARCH)
  @IsPlainText()
  search?: string;
}
