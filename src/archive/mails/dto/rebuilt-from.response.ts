import { ApiProperty } from '@nestjs/swagger';
import { REBUILT_FORMATS, type RebuiltFormat, type RebuiltFrom } from '../rebuilt-from';

/** The Outlook file that a mail was rebuilt from. Its bytes are not those that were sent. */
export class RebuiltFromResponse {
  /** `msg`: a saved message; `pst`: a data file (PST or OST). */
  @ApiProperty({ enum: REBUILT_FORMATS, enumName: 'RebuiltFormat', example: 'pst' })
  format: RebuiltFormat;

  /** SHA-256 of the Outlook file, hex.
   * @example "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" */
  source_sha256: string;

  /** Identifier of the item in a data file (the number of its node); null: the file is the message. */
  @ApiProperty({ type: String, nullable: true, example: '2097188' })
  item_id: string | null;
}

export const toRebuiltFromResponse = ({
  format,
  sourceSha256,
  itemId,
}: RebuiltFrom): RebuiltFromResponse => ({
  format,
  source_sha256: sourceSha256,
  item_id: itemId,
});
