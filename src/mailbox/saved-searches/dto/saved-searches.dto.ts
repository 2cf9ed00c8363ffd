import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { IsPlainText, MaxCharacters, MayBeAbsent, PlainName } from '../../../platform/validation/field-rules';
import { SAVED_SEARCH_SCOPES, type SavedSearchScope } from '../saved-search.entity';
import { MAX_SAVED_SEARCHES } from '../saved-searches.errors';

/** Icons that clients can draw. */
export const SAVED_SEARCH_ICONS = [
  'folder',
  'star',
  'mail',
  'attachment',
  'invoice',
  'alert',
  'archive',
  'calendar',
  'work',
  'shopping',
] as const;

/** `#rgb`, `#rrggbb` or `#rrggbbaa`. */
export const HEX_COLOR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;

export const MAX_NAME = 255;
export const MAX_QUERY = 2_000;

/** Declares a name, which is trimmed. */
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

export class ListSavedSearchesQuery {
  /** Only searches of this scope. */
  @ApiPropertyOptional({ enum: SAVED_SEARCH_SCOPES, enumName: 'SavedSearchScope', example: 'mailbox' })
  @IsOptional()
  @IsIn(SAVED_SEARCH_SCOPES)
  scope?: SavedSearchScope;
}

export class CreateSavedSearchDto {
  /** Name of the search. */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'Invoices this year' })
  @SavedSearchName()
  name: string;

  /** Query. For the mailbox, in the provider's own search language; for the archive, query parameters of the list of archived mails,
   * e.g. `q=invoice&has_attachments=true`. */
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_QUERY,
    example: 'subject:invoice has:attachment newer_than:1y',
  })
  @SavedSearchQuery()
  query: string;

  /** Icon shown with the search. */
  @SavedSearchIcon()
  icon?: string | null;

  /** Colour shown with the search. */
  @SavedSearchColor()
  color?: string | null;

  /** Scope of the search: messages of the live mailbox, or archived mails. */
  @ApiPropertyOptional({
    enum: SAVED_SEARCH_SCOPES,
    enumName: 'SavedSearchScope',
    default: 'mailbox',
    example: 'mailbox',
  })
  @MayBeAbsent()
  @IsIn(SAVED_SEARCH_SCOPES)
  scope?: SavedSearchScope;
}

/** Limits of the column in the database. */
const MIN_ORDER = -2_147_483_648;
const MAX_ORDER = 2_147_483_647;

/** Fields to change; null clears icon and colour. */
export class UpdateSavedSearchDto {
  /** Name of the search. */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_NAME, example: 'Invoices this year' })
  @MayBeAbsent()
  @SavedSearchName()
  name?: string;

  /** Query. For the mailbox, in the provider's own search language; for the archive, query parameters of the list of archived mails,
   * e.g. `q=invoice&has_attachments=true`. */
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_QUERY,
    example: 'subject:invoice has:attachment newer_than:1y',
  })
  @MayBeAbsent()
  @SavedSearchQuery()
  query?: string;

  /** Icon shown with the search. */
  @SavedSearchIcon()
  icon?: string | null;

  /** Colour shown with the search. */
  @SavedSearchColor()
  color?: string | null;

  /** Scope of the search: messages of the live mailbox, or archived mails. */
  @ApiPropertyOptional({ enum: SAVED_SEARCH_SCOPES, enumName: 'SavedSearchScope', example: 'mailbox' })
  @MayBeAbsent()
  @IsIn(SAVED_SEARCH_SCOPES)
  scope?: SavedSearchScope;

  /** Position in the list, in ascending order. */
  @ApiPropertyOptional({ type: 'integer', minimum: MIN_ORDER, maximum: MAX_ORDER, example: 3 })
  @MayBeAbsent()
  @IsInt()
  @Min(MIN_ORDER)
  @Max(MAX_ORDER)
  sort_order?: number;
}

export class ReorderSavedSearchesDto {
  /**
   * Ids of searches in their new order. Other searches follow in the order they have.
   * @example ["01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d", "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e"]
   */
  @ApiProperty({
    type: [String],
    format: 'uuid',
    minItems: 1,
    maxItems: MAX_SAVED_SEARCHES,
    uniqueItems: true,
  })
  // Ids that differ only in case are the same.
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id))
      : value,
  )
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SAVED_SEARCHES)
  @IsUUID(undefined, { each: true })
  @ArrayUnique()
  ids: string[];
}
