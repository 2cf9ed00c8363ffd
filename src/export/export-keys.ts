import { DomainError } from '../common/http/domain-error';
import type { MailKeys } from '../encryption/mail-keys';
import type { PassphrasesService } from '../encryption/passphrases.service';
import { MailsEncrypted } from '../encryption/encryption.errors';

/**
 * What opens the encrypted mails of one export. The passphrase is judged once: before the stream begins when mails are
 * encrypted then, else when the first one that was encrypted meanwhile turns up, and never when there is none.
 */
export class ExportKeys {
  private judged: Promise<MailKeys> | null = null;

  /** @param passphrase null when none was sent */
  constructor(
    private readonly passphrases: PassphrasesService,
    private readonly userId: string,
    private readonly passphrase: string | null,
  ) {}

  /** @throws MailsEncrypted without a passphrase; EncryptionNotConfigured, PassphraseInvalid, TooManyRequests */
  require(): Promise<MailKeys> {
    if (this.passphrase === null) return Promise.reject(new MailsEncrypted());
    this.judged ??= this.passphrases.unlock(this.userId, this.passphrase);
    return this.judged;
  }

  /** Within the stream, where nothing can be refused any more. @returns null when the passphrase is missing or wrong */
  async find(): Promise<MailKeys | null> {
    try {
      return await this.require();
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}
