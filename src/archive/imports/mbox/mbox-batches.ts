import type { ImportedMessage } from '../import-writer';
import { fromLineDate } from './from-line';
import type { MboxDialect } from './from-line';
import { type MboxDamage, UNREADABLE } from './mbox-damage';
import { MboxEntry, MboxSplitter, SplitterOptions } from './mbox-splitter';
import { type LeftOutReason, readMessageState } from './message-states';
import { takeoutHeaders } from './takeout-headers';

/** Limits of a batch. They depend on the file alone, so that a resumed import has the same batches. */
const MAX_MESSAGES = 200;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DAMAGED = 200;
const MAX_LEFT_OUT = 1_000;

export interface DamagedMessage extends MboxDamage {
  /** Name by the place in the file, e.g. `message at byte 4096`. */
  readonly name: string;
}

export interface MboxBatch {
  readonly messages: readonly ImportedMessage[];
  readonly damaged: readonly DamagedMessage[];
  /** Numbers of messages that are not imported because of what the file says of them. */
  readonly leftOut: Readonly<Record<LeftOutReason, number>>;
  readonly separators: number;
  readonly fromLinesInText: number;
  /** Offset of the entry after the last one of the batch. */
  readonly end: number;
  /** Bytes of the file on disk that had been read when the batch was full. */
  readonly bytesRead: number;
  /** Offset up to which the mbox had been read then: further than `end`, as bytes are read ahead. */
  readonly readTo: number;
}

/** Source of the bytes of an mbox. */
export interface MboxSource {
  readonly bytesRead: number;
  readonly readTo: number;
  readonly damage: MboxDamage | null;
  chunks(from: number): AsyncIterable<Buffer>;
}

/** The messages of an mbox file from an entry on, batch by batch. Holds no more than a batch and a message. */
export async function* mboxBatches(
  source: MboxSource,
  dialect: MboxDialect,
  options: SplitterOptions & { readonly offset: number },
): AsyncGenerator<MboxBatch, void, undefined> {
  const splitter = new MboxSplitter(dialect, options);
  let batch = new BatchBuilder();
  const drain = function* (): Generator<MboxBatch> {
    for (let entry = splitter.next(); entry; entry = splitter.next()) {
      batch.add(entry);
      if (!batch.isFull) continue;
      yield batch.build(source);
      batch = new BatchBuilder();
    }
  };
  for await (const chunk of source.chunks(options.offset)) {
    splitter.write(chunk);
    yield* drain();
  }
  splitter.end(source.damage);
  yield* drain();
  if (!batch.isEmpty) yield batch.build(source);
}

class BatchBuilder {
  private readonly messages: ImportedMessage[] = [];
  private readonly damaged: DamagedMessage[] = [];
  private readonly leftOut = { deleted: 0, folderData: 0 };
  private bytes = 0;
  private separators = 0;
  private fromLinesInText = 0;
  private end = 0;

  get isFull(): boolean {
    return (
      this.messages.length >= MAX_MESSAGES ||
      this.bytes >= MAX_BYTES ||
      this.damaged.length >= MAX_DAMAGED ||
      this.countLeftOut() >= MAX_LEFT_OUT
    );
  }

  get isEmpty(): boolean {
    return this.messages.length + this.damaged.length + this.countLeftOut() === 0;
  }

  private countLeftOut(): number {
    return this.leftOut.deleted + this.leftOut.folderData;
  }

  add({ offset, end, raw, fromLine, fromLinesInText, damage }: MboxEntry): void {
    const name = `message at byte ${offset}`;
    this.end = end;
    this.fromLinesInText += fromLinesInText;
    // Text before the first separator has none.
    if (fromLine !== '') this.separators += 1;
    if (!raw) {
      this.damaged.push({ name, ...(damage ?? UNREADABLE) });
      return;
    }
    const state = readMessageState(raw);
    if (state.leftOut) {
      this.leftOut[state.leftOut] += 1;
      return;
    }
    const takeout = takeoutHeaders(raw);
    const labelIds = [...new Set([...takeout.labelIds, ...state.labelIds])];
    this.messages.push({
      ...{ raw, name, labelIds, threadId: takeout.threadId },
      receivedAt: fromLineDate(fromLine),
    });
    this.bytes += raw.length;
  }

  build({ bytesRead, readTo }: MboxSource): MboxBatch {
    const { messages, damaged, leftOut, separators, fromLinesInText, end } = this;
    return { messages, damaged, leftOut, separators, fromLinesInText, end, bytesRead, readTo };
  }
}
