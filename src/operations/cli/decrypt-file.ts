import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { decryptUnauthenticated, openEncrypted } from '../../archive/passphrases/encrypted-stream';
import type { MailKeys } from '../../archive/passphrases/mail-keys';

const READ_CHUNK = 256 * 1024;
/** Exit code of an interrupted command. */
const INTERRUPTED = 130;

/**
 * Decrypts a file into another, in constant memory. The target appears once all of it has been authenticated; until then
 * it is a hidden file in the same folder, readable by its owner only.
 * @throws NotDecryptable
 */
export async function decryptToFile(source: string, target: string, keys: MailKeys): Promise<void> {
  const temporary = join(dirname(target), `.mailroom-${randomBytes(8).toString('hex')}.part`);
  const removeAndExit = (): void => {
    rmSync(temporary, { force: true });
    process.exit(INTERRUPTED);
  };
  process.once('SIGINT', removeAndExit).once('SIGTERM', removeAndExit);
  try {
    await withFile(source, async (input) => {
      const output = await open(temporary, 'wx', 0o600);
      try {
        await writeFile(output, plainOf(input, keys));
        await output.datasync();
      } finally {
        await output.close();
      }
    });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    process.off('SIGINT', removeAndExit).off('SIGTERM', removeAndExit);
  }
}

/**
 * Decrypts a file into a stream, in constant memory. It is read twice, so that nothing is written before all of it has been
 * authenticated.
 * @throws NotDecryptable
 */
export async function decryptToStream(source: string, target: Writable, keys: MailKeys): Promise<void> {
  await withFile(source, async (input) => {
    let length = 0;
    for await (const chunk of plainOf(input, keys)) length += chunk.length;
    if (length > 0) await pipeline(plainOf(input, keys), target, { end: false });
  });
}

async function* plainOf(input: FileHandle, keys: MailKeys): AsyncGenerator<Buffer> {
  const opened = await openEncrypted(
    input.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_CHUNK }),
  );
  yield* decryptUnauthenticated(opened, await keys.deriveKey(opened.header.salt));
}

async function withFile(path: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'r');
  try {
    await work(file);
  } finally {
    await file.close();
  }
}
