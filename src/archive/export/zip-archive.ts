import archiver, { type Archiver } from 'archiver';
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { JoinedBlocks } from './joined-blocks';

/** Compression level of zlib; higher ones cost much time and save little. */
const DEFLATE_LEVEL = 6;

/** An entry of a ZIP. A name that ends with `/` is that of a folder. */
export interface ZipEntryStart {
  /** Name with `/` between folders. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly date: number;
}

/**
 * A step of writing a ZIP. The bytes of `add` and `write` follow one another in the request.
 * - `add`: an entry whose bytes are all there
 * - `open`, `write`, `close`: an entry whose bytes come in pieces; no other one may begin before it is closed
 * - `end`: the directory
 */
export type ZipStep =
  | { readonly do: 'add'; readonly entry: ZipEntryStart; readonly length: number; readonly isHashed: boolean }
  | { readonly do: 'open'; readonly entry: ZipEntryStart; readonly isHashed: boolean }
  | { readonly do: 'write'; readonly length: number }
  | { readonly do: 'close' }
  | { readonly do: 'end' };

/** Some steps of writing a ZIP. */
export interface ZipRequest {
  readonly steps: readonly ZipStep[];
  /** The bytes of the steps, one after another. */
  readonly bytes: ArrayBuffer;
}

/** An entry that has been written and hashed. */
export interface WrittenEntry {
  /** Number of plain bytes. */
  readonly size: number;
  /** SHA-256 of the plain bytes, hex. */
  readonly sha256: string;
}

/** The effect of a request. */
export interface ZipAnswer {
  /** Bytes of the ZIP that have been written meanwhile. They may lag behind the steps; none are left after the end. */
  readonly blocks: readonly ArrayBuffer[];
  /** The entries that are to be hashed and are complete, in their order. */
  readonly entries: readonly WrittenEntry[];
}

interface OpenEntry {
  readonly source: PassThrough;
  readonly hash: Hash | null;
  size: number;
}

/** A ZIP that archiver writes, in Zip64 where numbers need it. Requests are made one at a time. */
export class ZipArchive {
  private readonly archive: Archiver;
  private readonly output = new JoinedBlocks();
  private open: OpenEntry | null = null;
  private failure: Error | null = null;
  /** Entries that archiver has been given, and those it has written. */
  private appended = 0;
  private written = 0;
  private onWritten: (() => void) | null = null;

  constructor({ compress }: { readonly compress: boolean }) {
    this.archive = archiver('zip', compress ? { zlib: { level: DEFLATE_LEVEL } } : { store: true });
    // archiver does not wait for a reader when it writes the directory, with some seventeen writes for each entry: unless
    // they are taken and joined at once, their buffers take forty times as much memory as the directory.
    this.archive.on('data', (piece: Buffer) => this.output.add(piece));
    this.archive.on('entry', () => {
      this.written += 1;
      this.onWritten?.();
    });
    this.archive.on('error', (error) => {
      this.failure ??= error;
      this.open?.source.destroy(error);
      this.onWritten?.();
    });
  }

  /** @throws errors of archiver; the ZIP is of no use then */
  async run({ steps, bytes }: ZipRequest): Promise<ZipAnswer> {
    const entries: WrittenEntry[] = [];
    let end = 0;
    const take = (length: number): Buffer => Buffer.from(bytes, (end += length) - length, length);
    for (const step of steps) {
      if (step.do === 'add') {
        const content = take(step.length);
        this.append(step.entry, content);
        if (step.isHashed) entries.push(hashed(content));
      } else if (step.do === 'open') {
        this.begin(step.entry, step.isHashed);
      } else if (step.do === 'write') {
        await this.write(take(step.length));
      } else if (step.do === 'close') {
        const entry = await this.close();
        if (entry) entries.push(entry);
      } else {
        await this.end();
      }
    }
    // Bytes that archiver has not written yet count as memory of the requests, so the answer waits for them.
    if (!this.open) await this.waitForWritten();
    this.throwFailure();
    return { blocks: this.output.take(), entries };
  }

  /** Gives up a ZIP; has no effect on one that has ended. */
  abort(): void {
    this.open?.source.destroy();
    this.archive.abort();
  }

  private append({ name, date }: ZipEntryStart, content: Buffer | PassThrough): void {
    this.appended += 1;
    // The fields of a ZIP cannot hold an invalid date. archiver takes a text, or a Date of its own realm.
    const text = new Date(Number.isNaN(date) ? 0 : date).toISOString();
    this.archive.append(content, { name, date: text });
  }

  private begin(entry: ZipEntryStart, isHashed: boolean): void {
    this.open = { source: new PassThrough(), hash: isHashed ? createHash('sha256') : null, size: 0 };
    this.append(entry, this.open.source);
  }

  private async write(piece: Buffer): Promise<void> {
    const open = this.open!;
    open.hash?.update(piece);
    open.size += piece.length;
    await new Promise<void>((resolve, reject) => {
      open.source.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }

  private async close(): Promise<WrittenEntry | null> {
    const { source, hash, size } = this.open!;
    source.end();
    await this.waitForWritten();
    this.open = null;
    return hash && { size, sha256: hash.digest('hex') };
  }

  private async end(): Promise<void> {
    await this.waitForWritten();
    this.throwFailure();
    const ended = once(this.archive, 'end');
    await Promise.all([this.archive.finalize(), ended]);
  }

  /** Waits until archiver has written every entry it was given, or has failed. */
  private async waitForWritten(): Promise<void> {
    while (this.written < this.appended && !this.failure) {
      await new Promise<void>((resolve) => {
        this.onWritten = resolve;
      });
    }
    this.onWritten = null;
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure;
  }
}

const hashed = (content: Buffer): WrittenEntry => ({
  size: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});
