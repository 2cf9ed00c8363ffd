import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { MayBeAbsent } from '../../../platform/validation/field-rules';
import { ARCHIVING_MODES, type ArchivingMode } from '../settings/archiving-settings.entity';
import { MAX_EXCLUSIONS, parseExclusion } from '../settings/exclusion';

export const VERIFY_DAYS = { minimum: 7, maximum: 90 };
export const RECONCILE_DAYS = { minimum: 1, maximum: 30 };
export const NOTIFY_AFTER_HOURS = { minimum: 1, maximum: 168 };

const IsExclusion = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isExclusion',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && parseExclusion(value) !== null,
        defaultMessage: () =>
          'each value in exclusions must be spam, trash, drafts, label:<id>, sender:<address>, sender:@<domain>, ' +
          'larger_than:<bytes>, older_than:<number>d, younger_than:<number>h or younger_than:<number>d',
      },
    },
    { each: true },
  );

const IsWithin = ({ minimum, maximum }: { minimum: number; maximum: number }): PropertyDecorator =>
  applyDecorators(IsInt(), Min(minimum), Max(maximum));

/** Absent fields stay as they are. */
export class UpdateArchivingDto {
  /** `keep`: each message is copied. `watch`: the ledger is kept, nothing is copied. `off`: neither. */
  @ApiProperty({ enum: ARCHIVING_MODES, enumName: 'ArchivingMode', required: false, example: 'keep' })
  @MayBeAbsent()
  @IsIn(ARCHIVING_MODES)
  mode?: ArchivingMode;

  /** While it is set nothing is read or copied. */
  @ApiProperty({ type: Boolean, required: false, example: false })
  @MayBeAbsent()
  @IsBoolean()
  paused?: boolean;

  /**
   * Messages that are not copied; the first that matches counts. `spam`, `trash`, `drafts`, `label:<id>`,
   * `sender:<address>`, `sender:@<domain>`, `larger_than:<bytes>`, `older_than:<number>d`, `younger_than:<number>h` or
   * `<number>d`: what is deleted within that time is never copied. What is in the archive stays there.
   */
  @ApiProperty({
    type: [String],
    required: false,
    maxItems: MAX_EXCLUSIONS,
    uniqueItems: true,
    example: ['spam', 'trash', 'drafts', 'sender:@newsletters.example'],
  })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MAX_EXCLUSIONS)
  @ArrayUnique()
  @IsExclusion()
  exclusions?: string[];

  /** A copy counts as verified for so many days after its file was last read. */
  @ApiProperty({ type: 'integer', required: false, ...VERIFY_DAYS, example: 8 })
  @MayBeAbsent()
  @IsWithin(VERIFY_DAYS)
  verifyDays?: number;

  /** The ledger is compared with the whole mailbox every so many days. */
  @ApiProperty({ type: 'integer', required: false, ...RECONCILE_DAYS, example: 7 })
  @MayBeAbsent()
  @IsWithin(RECONCILE_DAYS)
  reconcileDays?: number;

  /** Its owner is notified when archiving has been in a bad way for so many hours; null: never. */
  @ApiProperty({ type: 'integer', required: false, nullable: true, ...NOTIFY_AFTER_HOURS, example: 24 })
  @IsOptional()
  @IsWithin(NOTIFY_AFTER_HOURS)
  notifyAfterHours?: number | null;

  /** Labels of archived mail follow those of its message, until it goes to spam or trash. */
  @ApiProperty({ type: Boolean, required: false, example: true })
  @MayBeAbsent()
  @IsBoolean()
  followLabels?: boolean;
}
