import { describe, expect, it } from 'vitest';
import { hashOfFile } from './file-hash';

/** A file of several pieces; jsdom's has no stream. */
const fileOf = (...pieces: readonly string[]): Blob =>
  ({
    stream: () =>
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
          controller.close();
        },
      }),
  }) as unknown as Blob;

describe('the hash of a file', () => {
  it.each([
    [[], 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [['abc'], 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [['a', '', 'bc'], 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('should be that of all pieces of %j', async (pieces, expected) => {
    expect(await hashOfFile(fileOf(...pieces), new AbortController().signal)).toBe(expected);
  });

  it('should end with its signal', async () => {
    await expect(hashOfFile(fileOf('abc'), AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
});
