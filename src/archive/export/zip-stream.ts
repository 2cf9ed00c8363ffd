import { joinBuffers } from '../../platform/workers/joined-buffers';
import type { WrittenEntry, ZipAnswer, ZipEntryStart, ZipStep } from './zip-archive';
import type { RemoteZip } from './zip-thread';

/** Requests that are worked on while the answer to an earlier one is taken. */
const REQUESTS_AHEAD = 2;

export type OnWritten = (entry: WrittenEntry) => void;

/**
 * A ZIP that is written elsewhere, as a stream of its bytes. Steps are gathered and sent together, as a message costs as
 * much as a step. The generators yield bytes of earlier requests, so that a slow reader stops the writing.
 */
export class ZipStream {
  private steps: ZipStep[] = [];
  private pieces: Buffer[] = [];
  private readonly answers: Promise<ZipAnswer>[] = [];
  /** Called with the entries that are hashed, in their order. */
  private readonly hashed: OnWritten[] = [];
  private isFirst = true;

  constructor(private readonly zip: RemoteZip) {}

  /**
   * An entry whose bytes are at hand.
   * @param onWritten called by the time all is written; without it the bytes are not hashed
   */
  add(name: string, date: Date, content: Buffer, onWritten?: OnWritten): void {
    const entry: ZipEntryStart = { name, date: date.getTime() };
    this.steps.push({ do: 'add', entry, length: content.length, isHashed: onWritten !== undefined });
    this.pieces.push(content);
    if (onWritten) this.hashed.push(onWritten);
  }

  /** Begins an entry. No other one may be written until it is closed. @param onWritten as in `add` */
  open(name: string, date: Date, onWritten?: OnWritten): void {
    const entry: ZipEntryStart = { name, date: date.getTime() };
    this.steps.push({ do: 'open', entry, isHashed: onWritten !== undefined });
    if (onWritten) this.hashed.push(onWritten);
  }

  write(piece: Buffer): void {
    const last = this.steps.at(-1);
    if (last?.do === 'write') this.steps.pop();
    const length = (last?.do === 'write' ? last.length : 0) + piece.length;
    this.steps.push({ do: 'write', length });
    this.pieces.push(piece);
  }

  closeEntry(): void {
    this.steps.push({ do: 'close' });
  }

  /** An entry of which never more than some pieces are held. @param onWritten as in `add` */
  async *addInPieces(
    name: string,
    date: Date,
    pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
    onWritten?: OnWritten,
  ): AsyncGenerator<readonly Buffer[]> {
    this.open(name, date, onWritten);
    for await (const piece of pieces) {
      this.write(piece);
      yield* this.send();
    }
    this.closeEntry();
  }

  /** Sends the steps gathered so far. */
  async *send(): AsyncGenerator<readonly Buffer[]> {
    if (this.steps.length === 0) return;
    const { steps } = this;
    const bytes = joinBuffers(this.pieces);
    this.steps = [];
    this.pieces = [];
    const answer = this.zip.run({ steps, bytes });
    // A failure reaches the reader when its turn comes.
    answer.catch(() => undefined);
    this.answers.push(answer);
    // The first byte does not wait for later requests.
    yield* this.takeAnswers(this.isFirst ? 0 : REQUESTS_AHEAD);
    this.isFirst = false;
  }

  /** Sends the steps gathered so far, and waits until all entries are written. */
  async *sendAll(): AsyncGenerator<readonly Buffer[]> {
    yield* this.send();
    yield* this.takeAnswers(0);
  }

  /** Writes the rest and the directory. */
  async *end(): AsyncGenerator<readonly Buffer[]> {
    this.steps.push({ do: 'end' });
    yield* this.sendAll();
  }

  /** Ends the work on a ZIP, whether it is complete or not. */
  close(): void {
    this.zip.close();
  }

  private async *takeAnswers(atMost: number): AsyncGenerator<readonly Buffer[]> {
    while (this.answers.length > atMost) {
      const { blocks, entries } = await this.answers.shift()!;
      for (const entry of entries) this.hashed.shift()!(entry);
      yield blocks.map((block) => Buffer.from(block));
    }
  }
}
