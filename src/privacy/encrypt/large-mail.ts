import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { CIPHER, formatHeader, HEADER_BYTES, IV_BYTES } from '../../archive/passphrases/encrypted-file';
import { decryptUnauthenticated, openEncrypted } from '../../archive/passphrases/encrypted-stream';
import { isDamage, ObjectMissing } from '../../archive/files/archive-store.errors';
import type { ArchiveStore } from '../../archive/files/archive-store.port';
import { EncryptedAsStream, FileProblem, MailCipher, PlainMail } from './mail-to-encrypt';

/** The plain file has changed since it was examined. */
class AlteredMeanwhile extends Error {}

/**
 * A mail that is encrypted in constant memory. The tag precedes the ciphertext, so the file is read twice: for the tag,
 * and to be written. The written file is read back and compared. All of this runs chunk by chunk on the main thread: a
 * chunk takes a fraction of a millisecond, less than sending it to another thread.
 */
export class LargeMail implements EncryptedAsStream {
  private constructor(
    readonly plain: PlainMail,
    readonly store: ArchiveStore,
    private readonly cipher: MailCipher,
    private readonly iv: Buffer,
    private readonly tag: Buffer,
  ) {}

  /** Reads a mail for the first time. @returns a problem when its file is missing or altered */
  static async examine(
    plain: PlainMail,
    store: ArchiveStore,
    cipher: MailCipher,
    signal: AbortSignal,
  ): Promise<LargeMail | { readonly problem: FileProblem }> {
    const iv = randomBytes(IV_BYTES);
    const encryption = createCipheriv(CIPHER, cipher.key, iv);
    try {
      for await (const chunk of archivedBytes(plain, store, signal)) encryption.update(chunk);
    } catch (error) {
      return { problem: problemOf(error) };
    }
    encryption.final();
    return new LargeMail(plain, store, cipher, iv, encryption.getAuthTag());
  }

  async write(storageKey: string, signal: AbortSignal): Promise<string | { readonly problem: FileProblem }> {
    let sha256 = '';
    const open = async function* (this: LargeMail): AsyncGenerator<Buffer, void, undefined> {
      const hash = createHash('sha256');
      for await (const chunk of this.encryptedBytes(signal)) {
        hash.update(chunk);
        yield chunk;
      }
      sha256 = hash.digest('hex');
    };
    try {
      await this.store.putStream(storageKey, HEADER_BYTES + this.plain.sizeBytes, open.bind(this), {
        signal,
      });
    } catch (error) {
      return { problem: problemOf(error) };
    }
    await this.compare(storageKey, sha256, signal);
    return sha256;
  }

  private async *encryptedBytes(signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    const { iv, tag } = this;
    yield formatHeader({ salt: this.cipher.salt, iv, tag });
    const encryption = createCipheriv(CIPHER, this.cipher.key, iv);
    for await (const chunk of archivedBytes(this.plain, this.store, signal)) yield encryption.update(chunk);
    encryption.final();
    if (!encryption.getAuthTag().equals(tag)) throw new AlteredMeanwhile();
  }

  /** @throws when the file in the store does not decrypt to the mail */
  private async compare(storageKey: string, sha256: string, signal: AbortSignal): Promise<void> {
    const fileHash = createHash('sha256');
    const mailHash = createHash('sha256');
    // The range has one byte too many, so that a longer file is noticed without being read.
    const whole = { start: 0, end: HEADER_BYTES + this.plain.sizeBytes };
    const stored = await this.store.get(storageKey, whole, { retryOutages: true, signal });
    const hashed = async function* (): AsyncGenerator<Buffer, void, undefined> {
      for await (const chunk of stored) {
        signal.throwIfAborted();
        fileHash.update(chunk as Buffer);
        yield chunk as Buffer;
      }
    };
    const file = await openEncrypted(hashed());
    for await (const chunk of decryptUnauthenticated(file, this.cipher.key)) mailHash.update(chunk);
    if (fileHash.digest('hex') !== sha256 || mailHash.digest('hex') !== this.plain.sha256) {
      throw new Error('An encrypted mail does not decrypt to the plain mail');
    }
  }
}

/** The bytes of a mail. @throws AlteredMeanwhile, ObjectMissing */
async function* archivedBytes(
  { storageKey, sizeBytes, sha256 }: PlainMail,
  store: ArchiveStore,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256');
  let length = 0;
  try {
    for await (const chunk of await store.get(storageKey, undefined, { retryOutages: true, signal })) {
      signal.throwIfAborted();
      length += (chunk as Buffer).length;
      if (length > sizeBytes) throw new AlteredMeanwhile();
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  } catch (error) {
    // Errors are converted only here: the same errors while writing the new file are not problems of the mail.
    throw isDamage(error) ? new AlteredMeanwhile() : error;
  }
  if (length !== sizeBytes || hash.digest('hex') !== sha256) throw new AlteredMeanwhile();
}

/** The problem of the file behind an error. @throws errors that are not problems of the file */
function problemOf(error: unknown): FileProblem {
  if (error instanceof ObjectMissing) return 'archived-file-missing';
  if (error instanceof AlteredMeanwhile) return 'archived-file-altered';
  throw error;
}
