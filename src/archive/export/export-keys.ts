import { DomainError } from '../../platform/http/domain-error';
import type { MailKeys } from '../passphrases/mail-keys';
import type { PassphrasesService } from '../passphrases/passphrases.service';
import { MailsEncrypted } from '../passphrases/encryption.errors';

/**
 * The keys for the encrypted mails of one export. The passphrase is checked once: before the stream begins if any mail
 * is encrypted then, else at the first mail that is encrypted meanwhile.
 */
export class ExportKeys {
  private unlocked: Promise<MailKeys> | null = null;

  /** @param passphrase null when none was sent */
  constructor(
    private readonly passphrases: PassphrasesService,
    private readonly userId: string,
    private readonly passphrase: string | null,
  ) {}

  /** @throws MailsEncrypted without a passphrase; EncryptionNotConfigured, PassphraseInvalid, TooManyRequests */
  require(): Promise<MailKeys> {
    if (this.passphrase === null) return Promise.reject(new MailsEncrypted());
    this.unlocked ??= this.passphrases.unlock(this.userId, this.passphrase);
    return this.unlocked;
  }

  /** The keys, for use within the stream, where no request can be refused; null if the passphrase is missing or wrong. */
  async find(): Promise<MailKeys | null> {
    try {
      return await this.require();
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}
