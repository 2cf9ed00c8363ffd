import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsUUID,
  Min,
  ValidateNested,
} from 'class-validator';
import { MailFilters } from './archive.dto';

/** Mails that one request may be about. */
export const MAX_CHOSEN_MAILS = 50_000;

/** Archived mails: exactly one of `mailIds` and `filter`. */
export class ChosenMailsDto {
  /** Ids of archived mails, 1–50,000; repeated ids count once. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', example: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_CHOSEN_MAILS)
  @IsUUID('all', { each: true })
  mailIds?: string[] | null;

  /** All mails that a list with these filters shows. */
  @ApiPropertyOptional({ type: () => MailFilters, example: { q: 'invoice', to_date: '2020-12-31' } })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => MailFilters)
  filter?: MailFilters | null;
}

/** Archived mails to delete. */
export class DeleteMailsDto extends ChosenMailsDto {
  /** Number of mails to delete, as the user has seen and confirmed it.
   * @example 1310 */
  @IsInt()
  @Min(1)
  confirmedCount: number;
}
