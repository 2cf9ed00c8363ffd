import { Injectable, PipeTransform } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import { QueryLimit } from '../../../platform/validation/query-transforms';
import { MessageNotFound, PartNotFound } from '../../../providers/port/mail-provider.errors';

/** Message ids are the provider's and opaque, but all of them are short tokens without spaces or slashes. */
export const MESSAGE_ID = /^[\w.:~=+@-]{1,64}$/;

/** Checks `:messageId`. No message has an id of another form. */
@Injectable()
export class MessageIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!MESSAGE_ID.test(id)) throw new MessageNotFound();
    return id;
  }
}

/** Checks `:partId`. No part has an id of another form. */
@Injectable()
export class PartIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!MESSAGE_ID.test(id)) throw new PartNotFound();
    return id;
  }
}

export const MAX_LISTED = 500;
export const MAX_BATCH = 100;

export class ListMessagesQuery {
  /**
   * Query in the provider's own search language; default: everything but spam and trash.
   * @example "from:newsletter@example.org older_than:1y"
   */
  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  q?: string;

  /**
   * `nextPageToken` of the previous answer.
   * @example 07534206617283946102
   */
  @ApiPropertyOptional({ minLength: 1 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(1_024)
  pageToken?: string;

  /** Ids per page; values above 500 count as 500. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LISTED, default: 50, example: 50 })
  @QueryLimit(MAX_LISTED)
  maxResults: number = 50;
}

export class GetMessagesDto {
  /**
   * Ids of 1–100 messages. Ids that the mailbox does not have are left out of the answer.
   * @example ["1932c5e7d5b7c3a9"]
   */
  @ApiProperty({ minItems: 1, maxItems: MAX_BATCH })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH)
  @Matches(MESSAGE_ID, { each: true, message: 'each value in ids must be a message id' })
  ids: string[];
}
