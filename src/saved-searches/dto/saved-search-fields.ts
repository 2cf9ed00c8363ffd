import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { MaxCharacters } from '../../common/http/validation/max-characters';
import { PlainName } from '../../common/http/validation/plain-name';
import { IsPlainText } from '../../common/http/validation/plain-text';
import { HEX_COLOR, SAVED_SEARCH_ICONS } from '../saved-search-appearance';

export const MAX_NAME = 255;
export const MAX_QUERY = 2_000;

/** Without the blanks around it. */
export function SavedSearchName(): PropertyDecorator {
  return PlainName(MAX_NAME);
}

export function SavedSearchQuery(): PropertyDecorator {
  return applyDecorators(
    IsString(),
    Matches(/\S/, { message: '$property should not be empty' }),
    IsPlainText(),
    MaxCharacters(MAX_QUERY),
  );
}

export function SavedSearchIcon(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsIn(SAVED_SEARCH_ICONS),
    ApiPropertyOptional({ enum: SAVED_SEARCH_ICONS, nullable: true, example: 'invoice' }),
  );
}

export function SavedSearchColor(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsString(),
    Matches(HEX_COLOR, { message: '$property must be a hex colour like #3b82f6' }),
    ApiPropertyOptional({
      type: 'string',
      pattern: HEX_COLOR.source,
      nullable: true,
      example: '#3b82f6',
    }),
  );
}
