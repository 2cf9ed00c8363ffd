import { createHash } from 'node:crypto';
import Piscina from 'piscina';
import { FILE_MISSING, readFileInto } from '../../archive/files/read-file-into';
import { decryptMail, encryptMail, HEADER_BYTES } from '../../archive/passphrases/encrypted-file';

/** Value instead of a length when the mail is not as its row says. */
export const MAIL_ALTERED = -1;
/** Value instead of a length when there is no such file. */
export const MAIL_MISSING = -2;

/** Mails that have been read. */
interface MailBytes {
  /** The mails one after another. */
  readonly bytes: ArrayBuffer;
  readonly lengths: readonly number[];
}

/** Mails that the thread reads itself. */
interface MailPaths {
  readonly paths: readonly string[];
  /** Expected size of each mail in bytes. */
  readonly sizes: readonly number[];
}

export interface MailsToEncrypt {
  readonly mails: MailBytes | MailPaths;
  /** Expected SHA-256 of each mail, 64 hex digits. */
  readonly sha256s: readonly string[];
  readonly key: Uint8Array;
  readonly salt: Uint8Array;
}

export interface MailsEncrypted {
  /** The encrypted files one after another. */
  readonly bytes: ArrayBuffer;
  /** Size of each file in bytes; `MAIL_ALTERED` or `MAIL_MISSING` when there is none. */
  readonly lengths: readonly number[];
  /** SHA-256 of each encrypted file, 64 hex digits. */
  readonly sha256s: readonly string[];
}

/**
 * Worker-thread entry: encrypts mails, each only if it is as it was archived. Every file is decrypted again and
 * compared before it is returned, because the plain one will be deleted.
 */
export function encryptMails({ mails, sha256s, key, salt }: MailsToEncrypt): unknown {
  const sizes = 'paths' in mails ? mails.sizes : mails.lengths;
  const output = Buffer.allocUnsafeSlow(sizes.reduce((sum, size) => sum + size + HEADER_BYTES, 0));
  const cipher = { key: Buffer.from(key), salt: Buffer.from(salt) };
  const encrypted: { length: number; sha256: string }[] = [];
  let written = 0;
  for (const plain of mailsOf(mails)) {
    const isAltered = typeof plain !== 'number' && sha256(plain) !== sha256s[encrypted.length];
    if (typeof plain === 'number' || isAltered) {
      encrypted.push({ length: plain === FILE_MISSING ? MAIL_MISSING : MAIL_ALTERED, sha256: '' });
      continue;
    }
    const place = output.subarray(written, written + HEADER_BYTES + plain.length);
    const file = encryptMail(plain, cipher.key, cipher.salt, place);
    if (!decryptMail(file, cipher.key).equals(plain)) {
      throw new Error('An encrypted mail does not decrypt to the plain mail');
    }
    written += file.length;
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

/** Yields each mail, or the reason why there is none. A mail is valid until the next one is requested. */
function* mailsOf(mails: MailBytes | MailPaths): Generator<Buffer | number, void, undefined> {
  if ('paths' in mails) {
    const room = Buffer.allocUnsafeSlow(Math.max(0, ...mails.sizes) + 1);
    for (const [index, path] of mails.paths.entries()) {
      const length = readFileInto(path, mails.sizes[index]!, room);
      yield length < 0 ? length : room.subarray(0, length);
    }
    return;
  }
  let end = 0;
  for (const length of mails.lengths) yield Buffer.from(mails.bytes, (end += length) - length, length);
}
