import { createCipheriv, createDecipheriv } from 'node:crypto';
import { CIPHER, type EncryptedHeader, HEADER_BYTES, NotDecryptable, readHeader } from './encrypted-file';

/** GCM with a 96-bit IV is counter mode that begins at 2 (NIST SP 800-38D §7.1; 1 masks the tag). */
const COUNTER_MODE = 'aes-256-ctr';
const FIRST_COUNTER = 2;
const BLOCK = 16;

/** An encrypted file being read: its header and the ciphertext. */
export interface OpenedFile {
  readonly header: EncryptedHeader;
  readonly ciphertext: AsyncIterable<Buffer>;
}

/**
 * Reads the header of a file; the rest is read on demand.
 * @throws NotDecryptable
 */
export async function openEncrypted(file: AsyncIterable<Buffer>): Promise<OpenedFile> {
  const chunks = file[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < HEADER_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  let header: EncryptedHeader;
  try {
    header = readHeader(start);
  } catch (error) {
    await chunks.return?.();
    throw error;
  }
  return { header, ciphertext: restOf(start.subarray(HEADER_BYTES), chunks) };
}

async function* restOf(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (first.length > 0) yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

/**
 * Decrypts in constant memory. The chunks are authentic only once the generator has ended: until then only the caller
 * may see them.
 * @throws NotDecryptable at the end, when the key is not the file's or a bit of it has changed
 */
export async function* decryptUnauthenticated(
  { header, ciphertext }: OpenedFile,
  key: Buffer,
): AsyncGenerator<Buffer> {
  const decipher = createDecipheriv(CIPHER, key, header.iv).setAuthTag(header.tag);
  for await (const chunk of ciphertext) yield decipher.update(chunk);
  try {
    decipher.final();
  } catch (error) {
    throw new NotDecryptable('the passphrase is another one, or the file has been altered.', error);
  }
}

/**
 * Decrypts from the middle of a file that has already been authenticated.
 * @param offset of the first byte of `ciphertext` within the message
 */
export async function* decryptAuthenticated(
  { iv }: EncryptedHeader,
  key: Buffer,
  ciphertext: AsyncIterable<Buffer>,
  offset: number,
): AsyncGenerator<Buffer> {
  const counter = Buffer.alloc(BLOCK);
  iv.copy(counter);
  counter.writeUInt32BE(FIRST_COUNTER + Math.floor(offset / BLOCK), iv.length);
  const decipher = createCipheriv(COUNTER_MODE, key, counter);
  decipher.update(Buffer.alloc(offset % BLOCK));
  for await (const chunk of ciphertext) yield decipher.update(chunk);
}
