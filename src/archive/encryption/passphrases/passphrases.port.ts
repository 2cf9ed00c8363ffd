import type { MailKeys } from './mail-keys';

/** The passphrase of a user: set up once, then asked for whenever something is encrypted or opened. */
export abstract class Passphrases {
  abstract isConfigured(userId: string): Promise<boolean>;

  /**
   * Makes this the user's passphrase; only its hash is kept.
   * @throws EncryptionAlreadyConfigured, PassphrasesBusy
   */
  abstract setUp(userId: string, passphrase: string): Promise<void>;

  /**
   * Whether it is the user's passphrase. Attempts are limited: 10 wrong ones in 15 minutes, and a right one clears
   * them. A wrong one costs as much time as a right one.
   * @throws EncryptionNotConfigured, TooManyRequests, PassphrasesBusy
   */
  abstract verify(userId: string, passphrase: string): Promise<boolean>;

  /**
   * Checks a passphrase as `verify` does and answers what opens the user's encrypted mails.
   * @param salt of the file that is opened next: its key is derived meanwhile, for a wrong passphrase too
   * @throws EncryptionNotConfigured, PassphraseInvalid, TooManyRequests, PassphrasesBusy
   */
  abstract unlock(userId: string, passphrase: string, salt?: Buffer): Promise<MailKeys>;
}
