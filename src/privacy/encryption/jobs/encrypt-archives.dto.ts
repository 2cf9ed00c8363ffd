import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString } from 'class-validator';
import { MaxCharacters } from '../../../common/http/validation/max-characters';

const MAX_PASSPHRASE = 1_024;

/** What an archive is encrypted with. */
export class EncryptArchivesDto {
  /** The passphrase that was set up; kept with the job until it ends, sealed. */
  @ApiProperty({ format: 'password', maxLength: MAX_PASSPHRASE, example: 'correct horse battery staple' })
  @IsString()
  @IsNotEmpty()
  @MaxCharacters(MAX_PASSPHRASE)
  passphrase: string;
}

/** An encryption that has been started. */
export class EncryptionJobResponse {
  /** Follow it at `/api/jobs/{jobId}`.
   * @example encrypt_archives-42 */
  jobId: string;

  /** For people.
   * @example "The archive is being encrypted." */
  message: string;
}
