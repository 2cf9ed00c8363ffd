import { createHash } from 'node:crypto';
import { allowForExamples, cutAt, fc, holds, pieceSizes } from '../../../test/support/properties';
import { decryptMail, encryptMail, HEADER_BYTES, NotDecryptable, readHeader } from './encrypted-file';
import { decryptAuthenticated, decryptUnauthenticated, openEncrypted } from './encrypted-stream';

allowForExamples();

/** Stands for the derivation of the key, which takes its time on purpose: another salt is another key. */
const keyOf = (salt: Buffer): Buffer => createHash('sha256').update('passphrase').update(salt).digest();

const plain = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const salt = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

async function* stream(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

/** The mail in a file that comes in pieces. */
async function read(pieces: readonly Buffer[]): Promise<Buffer> {
  const opened = await openEncrypted(stream(pieces));
  const chunks: Buffer[] = [];
  for await (const chunk of decryptUnauthenticated(opened, keyOf(opened.header.salt))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const decrypt = (file: Buffer): Buffer => decryptMail(file, keyOf(readHeader(file).salt));

describe('an encrypted mail', () => {
  it('should decrypt to the same bytes, at once, in pieces, and from any offset', async () => {
    await holds(
      150,
      fc.asyncProperty(plain, salt, pieceSizes(90), fc.nat(200), async (mail, salted, sizes, at) => {
        const file = encryptMail(mail, keyOf(salted), salted);
        expect(decrypt(file)).toEqual(mail);
        expect(await read(cutAt(file, sizes))).toEqual(mail);
        const offset = at % (mail.length + 1);
        const rest = stream(cutAt(file.subarray(HEADER_BYTES + offset), sizes));
        const chunks: Buffer[] = [];
        for await (const chunk of decryptAuthenticated(readHeader(file), keyOf(salted), rest, offset))
          chunks.push(chunk);
        expect(Buffer.concat(chunks)).toEqual(mail.subarray(offset));
      }),
    );
  });

  it('should not decrypt once a bit has changed, or a byte is missing or added', async () => {
    const damage = fc.oneof(
      fc.tuple(fc.constant('flip' as const), fc.nat(), fc.integer({ min: 1, max: 255 })),
      fc.tuple(
        fc.constantFrom('cut' as const, 'add' as const, 'drop' as const),
        fc.nat(),
        fc.integer({ min: 0, max: 255 }),
      ),
    );
    await holds(
      250,
      fc.asyncProperty(plain, salt, damage, async (mail, salted, [how, where, byte]) => {
        const file = encryptMail(mail, keyOf(salted), salted);
        const at = where % file.length;
        const damaged = {
          flip: () =>
            Buffer.concat([
              file.subarray(0, at),
              Buffer.from([(file[at] as number) ^ byte]),
              file.subarray(at + 1),
            ]),
          cut: () => file.subarray(0, at),
          add: () => Buffer.concat([file.subarray(0, at), Buffer.from([byte]), file.subarray(at)]),
          drop: () => Buffer.concat([file.subarray(0, at), file.subarray(at + 1)]),
        }[how]();
        expect(() => decrypt(damaged)).toThrow(NotDecryptable);
        await expect(read([damaged])).rejects.toThrow(NotDecryptable);
      }),
    );
  });
});
