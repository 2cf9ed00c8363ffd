import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { MailSelectionDto } from '../../../archive/mails/dto/mail-selection.dto';
import { IsPlainText, MaxCharacters } from '../../../platform/validation/field-rules';
import { MAX_PAGE_SIZE } from '../../../platform/validation/page.dto';
import { MAX_PAGE, QueryLimit } from '../../../platform/validation/query-transforms';
import { ImapServerDto } from '../../../archive/imports/dto/imap-server.dto';
import {
  DIFFERENT_CHOICES,
  type DifferentChoice,
  LABEL_CHOICES,
  type LabelChoice,
  RESTORE_OUTCOMES,
  type RestoreOutcome,
} from '../restore.entity';

/** Longest name of a label in Gmail, in characters. */
const MAX_LABEL = 225;

/** A server that mail is restored to, and the login. */
export class ImapTargetDto extends ImapServerDto {
  /** Kept encrypted until the restore is done or has expired, and never shown.
   * @example correct-horse-battery-staple */
  @ApiProperty({ minLength: 1, maxLength: 1_024 })
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(1_024)
  @Matches(/^[^\0\r\n]*$/, { message: '$property must not hold line breaks' })
  pass: string;

  /** Folder in which all restored folders are made, with `/` between levels; without it mail goes into the user's own
   * folders.
   * @example Restored/2026 */
  @ApiPropertyOptional({ minLength: 1, maxLength: 512 })
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(512)
  @IsPlainText()
  root?: string | null;
}

/** Target of a restore: exactly one of `accountId` and `imap`. */
export class RestoreTargetDto {
  /** A connected mailbox of yours, also the one that the mail was archived from.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  accountId?: string | null;

  @ApiPropertyOptional({ type: () => ImapTargetDto })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => ImapTargetDto)
  imap?: ImapTargetDto | null;
}

/** Archived mails to put back. */
export class PlanRestoreDto {
  @ApiProperty({ type: () => MailSelectionDto, example: { filter: { q: 'invoice' } } })
  @IsObject()
  @ValidateNested()
  @Type(() => MailSelectionDto)
  select: MailSelectionDto;

  @ApiProperty({
    type: () => RestoreTargetDto,
    example: { accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' },
  })
  @IsObject()
  @ValidateNested()
  @Type(() => RestoreTargetDto)
  target: RestoreTargetDto;

  /** `original`: the labels that the archive has; `none`: only `addLabel`. */
  @ApiPropertyOptional({ enum: LABEL_CHOICES, default: 'original' })
  @IsOptional()
  @IsIn(LABEL_CHOICES)
  labels?: LabelChoice | null;

  /** A label for every restored mail, which is created if need be. An IMAP folder is made of it when a mail has no other.
   * @example Restored */
  @ApiPropertyOptional({ minLength: 1, maxLength: MAX_LABEL })
  @IsOptional()
  @IsString()
  @Matches(/\S/, { message: '$property must not be empty' })
  @MaxCharacters(MAX_LABEL)
  @IsPlainText()
  addLabel?: string | null;

  /** Treatment of a mail when the target has another message with its Message-ID: the mail is left out, or added as well. */
  @ApiPropertyOptional({ enum: DIFFERENT_CHOICES, default: 'skip' })
  @IsOptional()
  @IsIn(DIFFERENT_CHOICES)
  onDifferent?: DifferentChoice | null;

  /** Whether each message that has arrived is read back and compared, every byte of it. */
  @ApiPropertyOptional({ default: true })
  @IsOptional()
  @IsBoolean()
  verify?: boolean | null;
}

export class ListRestoresQuery {
  /** `next` of the page before.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID()
  after?: string;

  /** Restores per page; above 100 it is lowered to 100. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: 50, example: 50 })
  @QueryLimit(MAX_PAGE_SIZE)
  limit: number = 50;
}

export class ListRestoreItemsQuery {
  /** `next` of the page before. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_PAGE, example: 99 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(MAX_PAGE)
  after?: number;

  /** Mails per page; above 100 it is lowered to 100. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: 50, example: 50 })
  @QueryLimit(MAX_PAGE_SIZE)
  limit: number = 50;

  /** Only mails with this outcome. */
  @ApiPropertyOptional({ enum: RESTORE_OUTCOMES, example: 'inserted' })
  @IsOptional()
  @IsIn(RESTORE_OUTCOMES)
  outcome?: RestoreOutcome;
}
