import { pbkdf2Sync } from 'node:crypto';
import { inspect } from 'node:util';
import { deriveMailKey, MailKeys } from './mail-keys';

const salt = Buffer.alloc(32, 7);

describe('keys of mails', () => {
  it('should be PBKDF2-HMAC-SHA-512 with 100,000 iterations', async () => {
    await expect(deriveMailKey('correct horse', salt)).resolves.toEqual(
      pbkdf2Sync('correct horse', salt, 100_000, 32, 'sha512'),
    );
  });

  it('should be the same however accents were typed', async () => {
    const [composed, decomposed] = await Promise.all(
      ['caf\u00e9 cr\u00e8me', 'cafe\u0301 cre\u0300me'].map((passphrase) => deriveMailKey(passphrase, salt)),
    );
    expect(composed).toEqual(decomposed);
  });

  it('should be derived once for each salt', async () => {
    const keys = new MailKeys('correct horse');
    const other = Buffer.alloc(32, 8);
    const [first, again, second] = await Promise.all([
      keys.deriveKey(salt),
      keys.deriveKey(salt),
      keys.deriveKey(other),
    ]);
    expect(again).toBe(first);
    expect(second).not.toEqual(first);
  });

  it('should not reveal the passphrase', () => {
    const keys = new MailKeys('correct horse');
    expect(`${JSON.stringify(keys)} ${inspect(keys, { depth: 5, showHidden: true })}`).not.toContain('horse');
  });
});
