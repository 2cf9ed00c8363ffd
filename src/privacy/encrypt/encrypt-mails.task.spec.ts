import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decryptMail } from '../../archive/passphrases/encrypted-file';
import {
  encryptMails,
  MAIL_ALTERED,
  MAIL_MISSING,
  type MailsEncrypted,
  type MailsToEncrypt,
} from './encrypt-mails.task';

const key = randomBytes(32);
const salt = randomBytes(32);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function run(mails: MailsToEncrypt['mails'], sha256s: readonly string[]): MailsEncrypted {
  const moved = encryptMails({ mails, sha256s, key, salt }) as Record<symbol, MailsEncrypted>;
  const value = Object.getOwnPropertySymbols(moved).find((symbol) => /value/i.test(String(symbol)));
  return value ? moved[value]! : (moved as unknown as MailsEncrypted);
}

/** The text that each file decrypts to. */
function decrypted({ bytes, lengths }: MailsEncrypted): string[] {
  let end = 0;
  return lengths
    .filter((length) => length > 0)
    .map((length) => decryptMail(Buffer.from(bytes, (end += length) - length, length), key).toString());
}

describe('encryptMails', () => {
  const mails = ['first', '', 'third, the longest'].map((text) => Buffer.from(text));
  const hashes = mails.map(sha256);
  let folder: string;
  let paths: string[];
  const sizes = mails.map(({ length }) => length);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailroom-encrypt-'));
    paths = mails.map((_, number) => join(folder, `${number}.eml`));
    await Promise.all(paths.map((path, number) => writeFile(path, mails[number]!)));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('should encrypt files that it reads as well as mails that it is given', () => {
    const joined = Buffer.concat(mails);
    const bytes = new Uint8Array(joined).buffer;
    for (const input of [
      { paths, sizes },
      { bytes, lengths: sizes },
    ]) {
      const encrypted = run(input, hashes);
      expect(decrypted(encrypted)).toEqual(mails.map(String));
      expect(encrypted.sha256s[0]).toBe(sha256(Buffer.from(encrypted.bytes, 0, encrypted.lengths[0])));
    }
  });

  it.each([
    ['missing', MAIL_MISSING, (path: string) => rm(path)],
    ['longer', MAIL_ALTERED, (path: string) => writeFile(path, 'first and more')],
    ['shorter', MAIL_ALTERED, (path: string) => writeFile(path, 'fir')],
    ['another', MAIL_ALTERED, (path: string) => writeFile(path, 'FIRST')],
  ])('should skip a file that is %s', async (_how, length, change) => {
    await change(paths[0]!);
    const encrypted = run({ paths, sizes }, hashes);
    expect(encrypted.lengths[0]).toBe(length);
    expect(decrypted(encrypted)).toEqual(mails.slice(1).map(String));
  });

  it('should fail when a file cannot be read', () => {
    expect(() => run({ paths: [folder], sizes: [5] }, hashes)).toThrow('EISDIR');
  });
});
