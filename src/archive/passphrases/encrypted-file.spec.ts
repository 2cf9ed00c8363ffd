import { createDecipheriv, pbkdf2Sync, randomBytes } from 'node:crypto';
import { decryptMail, encryptMail, HEADER_BYTES, MAGIC, NotDecryptable, readHeader } from './encrypted-file';

const key = randomBytes(32);
const salt = randomBytes(32);
const mail = Buffer.from('Subject: hello\r\n\r\nGr\xfc\xdfe\0', 'latin1');

describe('an encrypted mail', () => {
  it('should be laid out as magic, salt, IV, tag, ciphertext', () => {
    const derived = pbkdf2Sync('correct horse', salt, 100_000, 32, 'sha512');
    const file = encryptMail(mail, derived, salt);
    expect(file.subarray(0, 7).toString('latin1')).toBe('MBENC01');
    expect(file.subarray(7, 39)).toEqual(salt);
    const decipher = createDecipheriv('aes-256-gcm', derived, file.subarray(39, 51));
    decipher.setAuthTag(file.subarray(51, 67));
    expect(Buffer.concat([decipher.update(file.subarray(67)), decipher.final()])).toEqual(mail);
    expect(file).toHaveLength(67 + mail.length);
  });

  it.each([0, 1, 15, 16, 17, 70_000])('should decrypt to the same %i bytes', (length) => {
    const plain = randomBytes(length);
    expect(decryptMail(encryptMail(plain, key, salt), key)).toEqual(plain);
  });

  it('should never have the same IV', () => {
    const ivs = new Set(
      Array.from({ length: 100 }, () => readHeader(encryptMail(mail, key, salt)).iv.toString('hex')),
    );
    expect(ivs.size).toBe(100);
  });

  it('should not decrypt with another key', () => {
    expect(() => decryptMail(encryptMail(mail, key, salt), randomBytes(32))).toThrow(NotDecryptable);
  });

  it.each([39, 51, 66, HEADER_BYTES, HEADER_BYTES + 3])(
    'should not decrypt when byte %i has changed',
    (at) => {
      const file = encryptMail(mail, key, salt);
      file.writeUInt8(file.readUInt8(at) ^ 1, at);
      expect(() => decryptMail(file, key)).toThrow(NotDecryptable);
    },
  );

  it.each([
    ['empty', Buffer.alloc(0)],
    ['a header cut short', Buffer.concat([MAGIC, Buffer.alloc(59)])],
    ['a plain mail', Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(100)])],
  ])('should not be recognised when it is %s', (_what, bytes) => {
    expect(() => decryptMail(bytes, key)).toThrow(NotDecryptable);
  });
});
