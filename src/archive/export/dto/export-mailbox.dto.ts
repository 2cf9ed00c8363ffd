import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsObject, ValidateNested } from 'class-validator';
import { MailSelectionDto } from '../../mails/dto/mail-selection.dto';
import { MAILBOX_FORMATS, type MailboxFormat } from '../mailbox/mailbox-zip';

/** Mails to export as a mailbox. */
export class ExportMailboxDto {
  @ApiProperty({ type: () => MailSelectionDto, example: { filter: { to_date: '2020-12-31' } } })
  @IsObject()
  @ValidateNested()
  @Type(() => MailSelectionDto)
  select: MailSelectionDto;

  /** `maildir`: a Maildir++ tree with a folder for each label; `mbox`: mboxrd files, oldest mail first. */
  @ApiProperty({ enum: MAILBOX_FORMATS, example: 'maildir' })
  @IsIn(MAILBOX_FORMATS)
  format: MailboxFormat;
}
