import { Injectable, PipeTransform } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayUnique, IsArray, IsBoolean, IsIn, ValidateIf } from 'class-validator';
import { ValidationFailed } from '../../../platform/http/domain-error';
import { QueryLimit } from '../../../platform/validation/query-transforms';
import { LEAVES_OUT } from '../../../mailbox/selections/selection-finder';
import type { LeavesOut } from '../../../mailbox/selections/selection-finder';
import { isMailAddress } from '../list-unsubscribe';

const MAX_LISTED = 2_000;

export class ListNewslettersQuery {
  /** Number of senders to list, those with the most messages first; higher values count as 2,000. */
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

export class DeleteNewslettersDto {
  /** `false` moves the messages to the trash, where they can be restored for 30 days; `true` deletes them
   * permanently. */
  @ApiPropertyOptional({ default: false, example: false })
  // `IsOptional` would allow null: a request with this field must choose one of the two.
  @ValidateIf((body: DeleteNewslettersDto) => body.permanent !== undefined)
  @IsBoolean()
  permanent: boolean = false;

  /** Messages with these marks stay; default: none, all newsletters of the sender go. */
  @ApiPropertyOptional({
    enum: LEAVES_OUT,
    enumName: 'LeavesOut',
    isArray: true,
    example: ['starred', 'important'],
  })
  @ValidateIf((body: DeleteNewslettersDto) => body.leaveOut !== undefined)
  @IsArray()
  @ArrayUnique()
  @IsIn(LEAVES_OUT, { each: true })
  leaveOut?: LeavesOut[];
}

/** `:senderEmail`: a bare address, converted to lower case. @throws ValidationFailed */
@Injectable()
export class SenderAddressPipe implements PipeTransform<string, string> {
  transform(address: string): string {
    if (isMailAddress(address)) return address.toLowerCase();
    throw new ValidationFailed([{ field: 'senderEmail', message: 'senderEmail must be a mail address' }]);
  }
}
