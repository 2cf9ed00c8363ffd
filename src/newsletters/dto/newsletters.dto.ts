import { Injectable, PipeTransform } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, ValidateIf } from 'class-validator';
import { ValidationFailed } from '../../common/http/domain-error';
import { QueryLimit } from '../../common/validation/query-transforms';
import { isMailAddress } from '../list-unsubscribe';

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

export class DeleteNewslettersDto {
  /** `false` moves the messages to the trash, from where they can be taken back for 30 days; `true` deletes them for
   * good. */
  @ApiPropertyOptional({ default: false, example: false })
  // Not `IsOptional`, which would let null pass: whoever sends something must say which of the two it is.
  @ValidateIf((body: DeleteNewslettersDto) => body.permanent !== undefined)
  @IsBoolean()
  permanent: boolean = false;
}

/** `:senderEmail` — a bare address, given on in lower case. @throws ValidationFailed */
@Injectable()
export class SenderAddressPipe implements PipeTransform<string, string> {
  transform(address: string): string {
    if (isMailAddress(address)) return address.toLowerCase();
    throw new ValidationFailed([{ field: 'senderEmail', message: 'senderEmail must be a mail address' }]);
  }
}
