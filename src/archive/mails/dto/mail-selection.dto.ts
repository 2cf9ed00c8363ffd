import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsArray,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { MailFilters } from './archive.dto';
import { MAX_CHOSEN_MAILS } from './chosen-mails.dto';

/** Archived mails, named in exactly one way. */
export class MailSelectionDto {
  /** Ids of archived mails, 1–50,000; repeated ids count once. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', example: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_CHOSEN_MAILS)
  @IsUUID('all', { each: true })
  mailIds?: string[] | null;

  /** All archived mails of these conversations, 1–10,000. */
  @ApiPropertyOptional({ type: [String], example: ['18c2f1a9b3d4e5f6'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(10_000)
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  @MaxLength(998, { each: true })
  threadIds?: string[] | null;

  /** The mails whose messages an offload plan has moved to the trash. */
  @ApiPropertyOptional({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  @IsOptional()
  @IsUUID()
  planId?: string | null;

  /** All mails that a list with these filters shows. */
  @ApiPropertyOptional({ type: () => MailFilters, example: { q: 'invoice', to_date: '2020-12-31' } })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => MailFilters)
  filter?: MailFilters | null;

  /** Every mail of the account's archive. */
  @ApiPropertyOptional({ type: Boolean, enum: [true], example: true })
  @IsOptional()
  @Equals(true)
  all?: boolean | null;
}
