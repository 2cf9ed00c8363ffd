import type { Readable } from 'node:stream';
import type { ByteRange } from '../store/archive-store.port';
import type { MailKeys } from './passphrases/mail-keys';

/** What of a mail's row is needed to read its bytes. */
export interface LocatedMail {
  readonly id: string;
  readonly accountId: string;
  readonly storage: string;
  readonly storageKey: string;
  /** Of the message, encrypted or not. */
  readonly sizeBytes: number;
  /** Of the stored file. */
  readonly sha256: string;
  readonly isEncrypted: boolean;
}

/**
 * The one way to the plain bytes of an archived mail, encrypted or not. A mail that is encrypted or moved between the
 * reading of its row and of its file is looked up once more, so that ciphertext is never taken for a message.
 */
export abstract class MailBytes {
  /**
   * What opens a mail for a person who may have sent a passphrase: null for a plain mail, whose passphrase is not even
   * looked at. A wrong passphrase costs as much time as a right one.
   * @throws MailsEncrypted without a passphrase; EncryptionNotConfigured, PassphraseInvalid, TooManyRequests
   */
  abstract unlock(userId: string, mail: LocatedMail, passphrase: string | null): Promise<MailKeys | null>;

  /**
   * The message whole. Memory is the caller's to bound by `sizeBytes`.
   * @param keys null when no passphrase was given
   * @throws MailsEncrypted when it takes a passphrase, MailUndecryptable, ObjectMissing
   */
  abstract read(mail: LocatedMail, keys: MailKeys | null): Promise<Buffer>;

  /**
   * The message, or a part of it, as a stream in constant memory. Of an encrypted mail nothing comes before all of it
   * has been authenticated.
   * @throws as `read`
   */
  abstract open(mail: LocatedMail, keys: MailKeys | null, range?: ByteRange): Promise<Readable>;
}
