/** Takes the body of an answer as it arrives and makes something of it. */
export interface BodyReader<T> {
  /** Bytes held in memory so far, or about to be when it ends. */
  readonly held: number;
  /** @param length of the whole body as announced. @returns bytes that will be held then */
  expect(length: number): number;
  write(chunk: Buffer): void;
  /** Called once, after the last piece. */
  end(): T;
}

/** The whole body: its pieces, then the buffer they are joined to. */
export class WholeBody implements BodyReader<Buffer> {
  private readonly chunks: Buffer[] = [];
  private length = 0;

  get held(): number {
    return 2 * this.length;
  }

  expect(length: number): number {
    return 2 * length;
  }

  write(chunk: Buffer): void {
    this.length += chunk.length;
    this.chunks.push(chunk);
  }

  end(): Buffer {
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.length);
  }
}
