import { Injectable } from '@nestjs/common';
import { EncryptionNotConfigured } from '../../archive/encryption/encryption.errors';
import { Passphrases } from '../../archive/encryption/passphrases/passphrases.port';
import { ArchivedMailsService } from '../../archive/mails/archived-mails.service';
import { EncryptionTotalsRepository } from './encryption-totals.repository';

export interface EncryptionStatus {
  /** Mails of the account. */
  readonly total: number;
  readonly encrypted: number;
  /** Whether the owner has a passphrase. */
  readonly isConfigured: boolean;
}

/** What users do with their passphrase, apart from encrypting. */
@Injectable()
export class EncryptionService {
  constructor(
    private readonly passphrases: Passphrases,
    private readonly mails: ArchivedMailsService,
    private readonly totals: EncryptionTotalsRepository,
  ) {}

  /** @throws EncryptionAlreadyConfigured */
  setUp(userId: string, passphrase: string): Promise<void> {
    return this.passphrases.setUp(userId, passphrase);
  }

  /** @throws EncryptionNotConfigured, TooManyRequests */
  verify(userId: string, passphrase: string): Promise<boolean> {
    return this.passphrases.verify(userId, passphrase);
  }

  async status(userId: string, accountId: string): Promise<EncryptionStatus> {
    const [totals, isConfigured] = await Promise.all([
      this.totals.of(accountId),
      this.passphrases.isConfigured(userId),
    ]);
    return { ...totals, isConfigured };
  }

  /**
   * An encrypted mail as text. What is wrong is said in the order of the errors here.
   * @throws EncryptionNotConfigured, ResourceNotFound, MailNotEncrypted, PassphraseInvalid, TooManyRequests,
   *   MailTooLarge
   */
  async decryptMail(
    userId: string,
    accountId: string,
    request: { mailId: string; passphrase: string },
  ): Promise<string> {
    if (!(await this.passphrases.isConfigured(userId))) throw new EncryptionNotConfigured();
    return this.mails.decrypted(userId, accountId, request.mailId, request.passphrase);
  }
}
