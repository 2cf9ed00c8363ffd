import { createHash } from 'node:crypto';
import Piscina from 'piscina';
import { decryptMail, encryptMail, HEADER_BYTES } from '../encryption/encrypted-file';

/** Instead of a length: the mail is not what its row says. */
export const MAIL_ALTERED = -1;

export interface MailsToEncrypt {
  /** The mails one after another. */
  readonly bytes: ArrayBuffer;
  readonly lengths: readonly number[];
  /** The expected hash of each, hex. */
  readonly sha256s: readonly string[];
  readonly key: Uint8Array;
  readonly salt: Uint8Array;
}

export interface MailsEncrypted {
  /** The encrypted files one after another. */
  readonly bytes: ArrayBuffer;
  /** Bytes of each, or `MAIL_ALTERED` and none. */
  readonly lengths: readonly number[];
  /** Of each encrypted file, hex. */
  readonly sha256s: readonly string[];
}

/**
 * Worker-thread entry: encrypts mails, each only if it is what was archived. Every file is decrypted again and
 * compared before it is handed out: the plain one will be deleted for it.
 */
export function encryptMails({ bytes, lengths, sha256s, key, salt }: MailsToEncrypt): unknown {
  const output = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length + HEADER_BYTES, 0));
  const encrypted: { length: number; sha256: string }[] = [];
  let read = 0;
  let written = 0;
  for (const [index, length] of lengths.entries()) {
    const plain = Buffer.from(bytes, read, length);
    read += length;
    if (sha256(plain) !== sha256s[index]) {
      encrypted.push({ length: MAIL_ALTERED, sha256: '' });
      continue;
    }
    const file = encryptMail(plain, Buffer.from(key), Buffer.from(salt));
    if (!decryptMail(file, Buffer.from(key)).equals(plain)) {
      throw new Error('An encrypted mail does not decrypt to the plain mail');
    }
    written += file.copy(output, written);
    encrypted.push({ length: file.length, sha256: sha256(file) });
  }
  const answer: MailsEncrypted = {
    bytes: output.buffer,
    lengths: encrypted.map(({ length }) => length),
    sha256s: encrypted.map(({ sha256: hash }) => hash),
  };
  return Piscina.move({
    [Piscina.transferableSymbol]: [output.buffer],
    [Piscina.valueSymbol]: answer,
  } as unknown as ArrayBuffer);
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
