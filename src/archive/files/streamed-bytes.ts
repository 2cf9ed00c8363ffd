/** A stream had another number of bytes than was announced. */
export class WrongLength extends Error {
  constructor(expected: number, actual: number) {
    super(`Expected ${expected} bytes, and got ${actual}`);
    this.name = 'WrongLength';
  }
}

/** Passes bytes on. @throws WrongLength unless there are `size` of them */
export async function* requireLength(
  size: number,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  let passed = 0;
  for await (const chunk of source) {
    passed += chunk.length;
    if (passed > size) throw new WrongLength(size, passed);
    yield chunk;
  }
  if (passed !== size) throw new WrongLength(size, passed);
}

/** Regroups bytes into pieces of `pieceBytes`; the last one has the rest, and none are empty. */
export async function* regroup(
  source: AsyncIterable<Buffer>,
  pieceBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (let chunk of source) {
    while (length + chunk.length >= pieceBytes) {
      const rest = pieceBytes - length;
      yield Buffer.concat([...waiting, chunk.subarray(0, rest)], pieceBytes);
      chunk = chunk.subarray(rest);
      waiting = [];
      length = 0;
    }
    if (chunk.length === 0) continue;
    waiting.push(chunk);
    length += chunk.length;
  }
  if (length > 0) yield Buffer.concat(waiting, length);
}
