import { ApiProperty } from '@nestjs/swagger';
import type { EncryptionStatus } from '../encryption.service';

export class EncryptionSetUpResponse {
  /** @example true */
  ok: true;
}

export class PassphraseCheckResponse {
  /** Whether it is the passphrase of the caller.
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
  /** Of the mails that are encrypted, to two decimals; 100 only when all are, 0 for an empty archive. */
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 100, example: 25 })
  percentage: number;
  /** Whether the caller has set up a passphrase.
   * @example true */
  hasEncryptionKey: boolean;
}

export class DecryptedMailResponse {
  /** The message: UTF-8 if it is valid UTF-8, else Latin-1.
   * @example "Subject: Hello\r\n\r\nHello Ada" */
  content: string;
}

/** The percentage has two decimals at most and is rounded down, so that 100 means all. */
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
  /** Follow it at `/api/jobs/{jobId}`.
   * @example encrypt_archives-42 */
  jobId: string;

  /** For people.
   * @example "The archive is being encrypted." */
  message: string;
}
