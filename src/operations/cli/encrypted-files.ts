import { open, opendir, stat } from 'node:fs/promises';
import { join, parse, relative } from 'node:path';
import { HEADER_BYTES, NotDecryptable, readHeader } from '../../archive/passphrases/encrypted-file';

/** A file to decrypt. */
export interface EncryptedFile {
  readonly path: string;
  /** The folder that was searched, or the parent of a file that was named. */
  readonly root: string;
}

/**
 * The encrypted mails among files and folders, which are searched completely. Other files in folders are skipped; a
 * named file must be an encrypted mail.
 * @throws NotDecryptable for a named file that is not
 */
export async function* findEncryptedFiles(paths: readonly string[]): AsyncGenerator<EncryptedFile> {
  for (const path of paths) {
    if ((await stat(path)).isDirectory()) {
      yield* listWithin(path, path);
    } else {
      await assertEncrypted(path);
      yield { path, root: parse(path).dir };
    }
  }
}

/** `<name>.decrypted.eml`, next to the file or at the same path below another folder. */
export function decryptedName({ path, root }: EncryptedFile, folder: string | null): string {
  const { dir, name, ext, base } = parse(path);
  const decrypted = `${ext === '.eml' ? name : base}.decrypted.eml`;
  return folder === null ? join(dir, decrypted) : join(folder, relative(root, dir), decrypted);
}

async function* listWithin(root: string, folder: string): AsyncGenerator<EncryptedFile> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listWithin(root, path);
    else if (entry.isFile() && (await isEncrypted(path))) yield { path, root };
  }
}

async function isEncrypted(path: string): Promise<boolean> {
  try {
    await assertEncrypted(path);
    return true;
  } catch (error) {
    if (error instanceof NotDecryptable) return false;
    throw error;
  }
}

async function assertEncrypted(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    readHeader(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
