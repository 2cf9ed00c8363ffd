import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { FileDeletions } from '../../../src/archive/files/file-deletions';
import { laterStorageKey, newFileTag } from '../../../src/archive/files/storage-key';
import { ArchiveStores } from '../../../src/archive/files/archive-store.port';
import { ArchiveLock } from '../../../src/archive/mails/writing/archive-lock';
import { Transactions } from '../../../src/platform/database/transactions';
import type { ArchiveFixture } from '../archive/archive-fixture';
import type { ServiceUser } from '../tested-service';

export const PASSPHRASE = 'correct horse battery staple';
export const PASSPHRASE_HEADER = 'x-archive-passphrase';

/** The file of an encrypted mail, as the contract describes it and without the service's own code. */
export function encryptedFile(plain: Buffer, passphrase: string, salt = randomBytes(32)): Buffer {
  return encryptedWith(derivedKey(passphrase, salt), plain, salt);
}

function derivedKey(passphrase: string, salt: Buffer): Buffer {
  return pbkdf2Sync(passphrase.normalize('NFC'), salt, 100_000, 32, 'sha512');
}

function encryptedWith(key: Buffer, plain: Buffer, salt: Buffer): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from('MBENC01', 'latin1'), salt, iv, cipher.getAuthTag(), ciphertext]);
}

/** Sets up a user's passphrase. */
export async function setUpPassphrase(user: ServiceUser, passphrase = PASSPHRASE): Promise<void> {
  const { status, bytes } = await user.api.post('/api/privacy/encryption/setup', { passphrase });
  if (status !== 200) throw new Error(`setup answered ${status}: ${bytes.toString()}`);
}

/** Encrypts one archived mail as a finished job leaves it. @returns the key of the encrypted file */
export async function encryptByHand(
  fixture: ArchiveFixture,
  mailId: string,
  passphrase = PASSPHRASE,
): Promise<string> {
  const rows = await encryptMails(fixture, [mailId], { passphrase });
  return rows.get(mailId).storage_key as string;
}

export interface EncryptionOptions {
  readonly passphrase?: string;
  /** Puts the files into a folder of this name, as earlier versions did: 16 hex digits. */
  readonly folder?: string;
}

/** An encrypted file under its key, which no row names yet. */
export interface WrittenFile {
  readonly row: any;
  readonly key: string;
  readonly file: Buffer;
}

/**
 * Encrypts mails of an archive as the encrypt job does, all with one salt: file, row and plain file in its order.
 * @param mailIds all of the account's plain mails when left out
 * @returns the rows as they are then, by mail id
 */
export async function encryptMails(
  archive: ArchiveFixture,
  mailIds?: readonly string[],
  options: EncryptionOptions = {},
): Promise<Map<string, any>> {
  const written = await writeEncryptedFiles(archive, mailIds, options);
  for (const file of written) await nameEncryptedFile(archive, file);
  return rowsById(
    archive,
    written.map(({ row }) => row.id as string),
  );
}

/** The first half of it, as a killed job leaves it: encrypted files beside the plain ones. */
export async function writeEncryptedFiles(
  archive: ArchiveFixture,
  mailIds?: readonly string[],
  options: EncryptionOptions = {},
): Promise<WrittenFile[]> {
  const rows = await rowsById(archive, mailIds);
  const salt = randomBytes(32);
  const mailKey = derivedKey(options.passphrase ?? PASSPHRASE, salt);
  const written: WrittenFile[] = [];
  for (const row of rows.values()) {
    if (row.is_encrypted) continue;
    const store = await archive.app.get(ArchiveStores).find(row.storage as string);
    const plainKey = row.storage_key as string;
    const file = encryptedWith(mailKey, await store.read(plainKey), salt);
    const key = options.folder
      ? `${dirname(plainKey)}/${options.folder}/${row.id}.eml`
      : laterStorageKey(plainKey, row.id as string, newFileTag());
    await store.put(key, file);
    written.push({ row, key, file });
  }
  return written;
}

/** The other half: the row changes and the plain file goes. */
export async function nameEncryptedFile(
  { app, user, accountId }: ArchiveFixture,
  { row, key, file }: WrittenFile,
): Promise<void> {
  const owner = { userId: user.id, accountId };
  const plain = { ...owner, storage: row.storage as string, storageKey: row.storage_key as string };
  await app.get(Transactions).run(async (transaction) => {
    await app.get(ArchiveLock).acquire(owner, transaction);
    await transaction.manager.query(
      `UPDATE archived_mails SET storage_key = $2, sha256 = $3, is_encrypted = true, snippet = '' WHERE id = $1`,
      [row.id, key, createHash('sha256').update(file).digest('hex')],
    );
    await transaction.manager.query(
      `UPDATE archived_mail_words SET words = ts_filter(words, '{a,b,c}'), padding = DEFAULT WHERE mail_id = $1`,
      [row.id],
    );
    await app.get(FileDeletions).enqueue([plain], transaction);
  });
  await app.get(FileDeletions).drain(accountId);
}

async function rowsById(archive: ArchiveFixture, mailIds?: readonly string[]): Promise<Map<string, any>> {
  const rows = [...(await archive.rows()).values()];
  const wanted = mailIds ? rows.filter(({ id }) => mailIds.includes(id as string)) : rows;
  return new Map(wanted.map((row) => [row.id as string, row]));
}
