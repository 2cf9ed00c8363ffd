import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArchiveFixture } from '../archive/archive-fixture';
import type { TestUser } from '../test-user';

export const PASSPHRASE = 'correct horse battery staple';
export const PASSPHRASE_HEADER = 'x-archive-passphrase';

/** The file of an encrypted mail, as the contract describes it and without the service's own code. */
export function encryptedFile(plain: Buffer, passphrase: string, salt = randomBytes(32)): Buffer {
  const key = pbkdf2Sync(passphrase.normalize('NFC'), salt, 100_000, 32, 'sha512');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from('MBENC01', 'latin1'), salt, iv, cipher.getAuthTag(), ciphertext]);
}

/** Sets up a user's passphrase over HTTP. */
export async function setUpPassphrase(user: TestUser, passphrase = PASSPHRASE): Promise<void> {
  const { status, bytes } = await user.api.post('/api/privacy/encryption/setup', { passphrase });
  if (status !== 200) throw new Error(`setup answered ${status}: ${bytes.toString()}`);
}

/**
 * Encrypts one archived mail of the local disk as a finished job leaves it: another file, and a row that names it and
 * has neither body words nor snippet. For tests of what reads such mails.
 * @returns the key of the encrypted file
 */
export async function encryptByHand(
  fixture: ArchiveFixture,
  mailId: string,
  passphrase = PASSPHRASE,
): Promise<string> {
  const { dataSource, archiveDir } = fixture.app;
  const [row] = await dataSource.query('SELECT storage_key FROM archived_mails WHERE id = $1', [mailId]);
  const plainKey = row.storage_key as string;
  const file = encryptedFile(await readFile(join(archiveDir, plainKey)), passphrase);
  const key = `${dirname(plainKey)}/${randomBytes(8).toString('hex')}/${mailId}.eml`;
  await mkdir(dirname(join(archiveDir, key)), { recursive: true });
  await writeFile(join(archiveDir, key), file);
  await dataSource.query(
    `UPDATE archived_mails SET storage_key = $2, sha256 = $3, is_encrypted = true, snippet = '' WHERE id = $1`,
    [mailId, key, createHash('sha256').update(file).digest('hex')],
  );
  await dataSource.query(
    `UPDATE archived_mail_words SET words = ts_filter(words, '{a,b,c}'), padding = DEFAULT WHERE mail_id = $1`,
    [mailId],
  );
  await rm(join(archiveDir, plainKey));
  return key;
}
