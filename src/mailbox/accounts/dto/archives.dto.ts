import { PlainName } from '../../../platform/validation/field-rules';

/** Characters of an archive's name. */
export const MAX_ARCHIVE_NAME = 100;

export class CreateArchiveDto {
  /** Name of the archive. No other archive of the user may have it, in any case of its letters.
   * @example Old mail */
  @PlainName(MAX_ARCHIVE_NAME)
  name: string;
}

export class RenameArchiveDto {
  /** The new name. No other archive of the user may have it, in any case of its letters.
   * @example Mail of 2009 */
  @PlainName(MAX_ARCHIVE_NAME)
  name: string;
}
