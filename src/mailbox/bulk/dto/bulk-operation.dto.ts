import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsEnum,
  IsNotEmpty,
  IsString,
  Matches,
  MaxLength,
  Validate,
  ValidateIf,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { MESSAGE_ID } from '../../messages/dto/messages.dto';
import { ConfirmedCount, SelectionId } from '../../selections/dto/confirmed-selection';
import { BulkAction, needsLabel } from '../bulk-action';

export const MAX_BULK = 50_000;

/** Rejects a move to the inbox, since a move takes messages out of the inbox. */
@ValidatorConstraint()
class NotMovedToInbox implements ValidatorConstraintInterface {
  validate(labelId: unknown, { object }: ValidationArguments): boolean {
    return labelId !== 'INBOX' || (object as StartBulkOperationDto).action !== BulkAction.Move;
  }

  defaultMessage(): string {
    return '$property must not be the inbox when messages are moved';
  }
}

export class StartBulkOperationDto {
  /**
   * `trash` can be undone for 29 days, `delete` cannot. `archive` removes the messages from the inbox; `move` does so too,
   * and gives them a label.
   */
  @ApiProperty({ enum: BulkAction, enumName: 'BulkAction', example: BulkAction.Label })
  @IsEnum(BulkAction)
  action: BulkAction;

  /**
   * Ids of 1–50,000 messages; duplicates count once. Either these or `selectionId`.
   * @example ["1932c5e7d5b7c3a9"]
   */
  @ApiPropertyOptional({ minItems: 1, maxItems: MAX_BULK })
  @ValidateIf(
    ({ messageIds, selectionId }: StartBulkOperationDto) => messageIds != null || selectionId == null,
  )
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BULK)
  @Matches(MESSAGE_ID, { each: true, message: 'each value in messageIds must be a message id' })
  messageIds?: string[];

  @SelectionId()
  selectionId?: string;

  @ConfirmedCount()
  confirmedCount?: number;

  /**
   * An existing label, for `label`, `unlabel` and `move` (to another one than the inbox); other actions ignore it.
   * @example Label_12
   */
  @ApiPropertyOptional({ minLength: 1 })
  @ValidateIf((body: StartBulkOperationDto) => needsLabel(body.action))
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  @Validate(NotMovedToInbox)
  labelId?: string;
}
