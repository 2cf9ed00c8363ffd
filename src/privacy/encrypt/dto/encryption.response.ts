import { ApiProperty } from '@nestjs/swagger';
import type { EncryptionStatus } from '../encryption.service';

export class EncryptionSetUpResponse {
  /** @example true */
  ok: true;
}

export class PassphraseCheckResponse {
  /** Whether the given passphrase is that of the caller.
   * @example true */
  valid: boolean;
}

/** The number of encrypted mails in an archive. */
export class EncryptionStatusResponse {
  /** Archived mails of the account.
   * @example 1200 */
  @ApiProperty({ type: 'integer' })
  total: number;
  /** @example 300 */
  @ApiProperty({ type: 'integer' })
  encrypted: number;
  /** @example 900 */
  @ApiProperty({ type: 'integer' })
  unencrypted: number;
  /** Percentage of mails that are encrypted, to two decimals; 100 only when all are, 0 for an empty archive. */
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 100, example: 25 })
  percentage: number;
  /** Whether the caller has set up a passphrase.
   * @example true */
  hasEncryptionKey: boolean;
}

export class DecryptedMailResponse {
  /** The message as text: UTF-8 if it is valid UTF-8, else Latin-1.
   * @example "Subject: Hello\r\n\r\nHello Ada" */
  content: string;
}

/** Makes the response. The percentage has at most two decimals and is rounded down, so that 100 means all. */
export function toEncryptionStatusResponse(status: EncryptionStatus): EncryptionStatusResponse {
  const { total, encrypted, isConfigured } = status;
  return {
    total,
    encrypted,
    unencrypted: total - encrypted,
    percentage: total === 0 ? 0 : Math.floor((encrypted * 10_000) / total) / 100,
    hasEncryptionKey: isConfigured,
  };
}

/** An encryption that has been started. */
export class EncryptionJobResponse {
  /** Id of the job; `/api/jobs/{jobId}` tells its progress.
   * @example encrypt_archives-42 */
  jobId: string;

  /** Description for people.
   * @example "The archive is being encrypted." */
  message: string;
}
