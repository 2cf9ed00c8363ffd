import type { MailKeys } from './mail-keys';

/** Whether a passphrase is the one a user has set up. */
export abstract class Passphrases {
  abstract isConfigured(userId: string): Promise<boolean>;

  /**
   * Checks a passphrase and answers what opens the user's encrypted mails. Attempts are limited; a wrong passphrase
   * costs as much time as a right one.
   * @throws EncryptionNotConfigured, PassphraseInvalid, TooManyRequests
   */
  abstract unlock(userId: string, passphrase: string): Promise<MailKeys>;
}
