import { randomBytes } from 'node:crypto';
import { encryptMail, HEADER_BYTES, NotDecryptable } from './encrypted-file';
import { decryptAuthenticated, decryptUnauthenticated, openEncrypted } from './encrypted-stream';

const key = randomBytes(32);
const salt = randomBytes(32);

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

describe('a stream of an encrypted mail', () => {
  it.each([
    [0, 10],
    [1, 1],
    [100, 1],
    [1_000, HEADER_BYTES],
    [70_000, 4_096],
    [70_000, 1_000_000],
  ])('should decrypt to %i bytes when it comes in chunks of %i', async (length, size) => {
    const plain = randomBytes(length);
    const opened = await openEncrypted(inChunks(encryptMail(plain, key, salt), size));
    expect(opened.header.salt).toEqual(salt);
    expect(await collect(decryptUnauthenticated(opened, key))).toEqual(plain);
  });

  it.each([
    ['another key', (file: Buffer) => file, randomBytes(32)],
    ['a byte less', (file: Buffer) => file.subarray(0, -1), key],
    ['a byte more', (file: Buffer) => Buffer.concat([file, Buffer.alloc(1)]), key],
    ['only its header', (file: Buffer) => file.subarray(0, HEADER_BYTES), key],
  ])('should fail at its end with %s', async (_what, change, used) => {
    const file = change(encryptMail(randomBytes(10_000), key, salt));
    const opened = await openEncrypted(inChunks(file, 999));
    await expect(collect(decryptUnauthenticated(opened, used))).rejects.toThrow(NotDecryptable);
  });

  it('should close its source when that is not an encrypted mail', async () => {
    let closed = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield await Promise.resolve(Buffer.alloc(50, 'x'));
      } finally {
        closed = true;
      }
    }
    await expect(openEncrypted(source())).rejects.toThrow(NotDecryptable);
    expect(closed).toBe(true);
  });

  it.each([0, 1, 15, 16, 17, 4_095, 4_096, 65_537, 99_999])(
    'should be readable from byte %i on',
    async (offset) => {
      const plain = randomBytes(100_000);
      const file = encryptMail(plain, key, salt);
      const { header } = await openEncrypted(inChunks(file, 1_000));
      const rest = inChunks(file.subarray(HEADER_BYTES + offset), 777);
      expect(await collect(decryptAuthenticated(header, key, rest, offset))).toEqual(plain.subarray(offset));
    },
  );
});
