import { randomBytes } from 'node:crypto';
import { requireLength, regroup, WrongLength } from './streamed-bytes';

async function* source(...lengths: number[]): AsyncGenerator<Buffer, void, undefined> {
  for (const length of lengths) yield Buffer.alloc(length, length);
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const seen: Buffer[] = [];
  for await (const chunk of chunks) seen.push(chunk);
  return seen;
}

describe('regroup', () => {
  it.each([
    [[], []],
    [[0, 0], []],
    [[3], [3]],
    [[5], [5]],
    [
      [5, 5],
      [5, 5],
    ],
    [
      [1, 1, 1, 1, 1, 1],
      [5, 1],
    ],
    [[12], [5, 5, 2]],
    [
      [2, 9, 0, 4],
      [5, 5, 5],
    ],
  ])('should regroup chunks of %j into pieces of %j bytes', async (lengths, expected) => {
    expect((await all(regroup(source(...lengths), 5))).map(({ length }) => length)).toEqual(expected);
  });

  it('should keep the bytes and their order', async () => {
    const bytes = randomBytes(1_000);
    async function* cut(): AsyncGenerator<Buffer, void, undefined> {
      for (let at = 0, step = 1; at < bytes.length; at += step, step += 3) {
        yield bytes.subarray(at, at + step);
      }
    }
    expect(Buffer.concat(await all(regroup(cut(), 64)))).toEqual(bytes);
  });
});

describe('requireLength', () => {
  it('should pass through bytes of the announced length', async () => {
    expect(Buffer.concat(await all(requireLength(7, source(3, 4))))).toHaveLength(7);
  });

  it.each([6, 8, 0])('should throw when %i bytes were expected instead of 7', async (size) => {
    await expect(all(requireLength(size, source(3, 4)))).rejects.toThrow(WrongLength);
  });
});
