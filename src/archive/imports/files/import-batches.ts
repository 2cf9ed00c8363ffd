import type { ReadDamage } from '../containers/read-damage';
import type { ImportedMessage } from '../import-writer';
import type { ImportPosition, WalkedItem } from './import-walk';
import { addNames, type LeftOutNames, type LeftOutReason, type StateNotKept } from './item-reasons';

/** Limits of a batch. They depend on the upload alone, so that a resumed import has the same batches. */
const MAX_MESSAGES = 200;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_DAMAGED = 200;
const MAX_LEFT_OUT = 1_000;

export interface DamagedItem extends ReadDamage {
  /** Name by the place in the upload, e.g. `message at byte 4096`. */
  readonly name: string;
}

export type Counts<K extends string> = Readonly<Partial<Record<K, number>>>;

/** Items of an upload that are imported together. */
export interface ImportBatch {
  readonly messages: readonly ImportedMessage[];
  readonly damaged: readonly DamagedItem[];
  /** Numbers of items that are no mail to import. */
  readonly leftOut: Counts<LeftOutReason>;
  /** The first of their names. */
  readonly leftOutNames: LeftOutNames;
  /** Number of all items. */
  readonly items: number;
  /** Numbers of items by the format of their file; items that are no mail are not among them. */
  readonly formats: Counts<string>;
  readonly notKept: Counts<StateNotKept>;
  readonly separators: number;
  readonly fromLinesInText: number;
  /** Position after the last item of the batch. */
  readonly end: ImportPosition;
  /** Bytes of the upload on disk that had been read when the batch was full. */
  readonly bytesRead: number;
  /** Bytes of the upload on disk that the items up to the end of the batch take, about. */
  readonly bytesDone: number;
}

/**
 * Puts items together in batches, in constant memory: no more than a batch and a message is held.
 * @param position of the reading of the upload
 */
export async function* importBatches(
  items: AsyncGenerator<WalkedItem, void, undefined>,
  position: { readonly bytesRead: number },
): AsyncGenerator<ImportBatch, void, undefined> {
  let batch = new BatchBuilder();
  for await (const item of items) {
    batch.add(item);
    if (!batch.isFull) continue;
    yield batch.build(position.bytesRead);
    batch = new BatchBuilder();
  }
  if (!batch.isEmpty) yield batch.build(position.bytesRead);
}

class BatchBuilder {
  private readonly messages: ImportedMessage[] = [];
  private readonly damaged: DamagedItem[] = [];
  private readonly leftOut: Partial<Record<LeftOutReason, number>> = {};
  private leftOutNames: LeftOutNames = {};
  private readonly formats: Partial<Record<string, number>> = {};
  private readonly notKept: Partial<Record<StateNotKept, number>> = {};
  private items = 0;
  private bytes = 0;
  private separators = 0;
  private fromLinesInText = 0;
  private last: WalkedItem | null = null;

  get isFull(): boolean {
    return (
      this.messages.length >= MAX_MESSAGES ||
      this.bytes >= MAX_BYTES ||
      this.damaged.length >= MAX_DAMAGED ||
      this.items - this.messages.length - this.damaged.length >= MAX_LEFT_OUT
    );
  }

  get isEmpty(): boolean {
    return this.last === null;
  }

  add(item: WalkedItem): void {
    const { name, message, leftOut, damage, format, notKept } = item;
    this.last = item;
    this.items += 1;
    this.separators += item.separators;
    this.fromLinesInText += item.fromLinesInText;
    if (format !== null) increase(this.formats, format);
    for (const state of notKept) increase(this.notKept, state);
    if (leftOut !== null) {
      increase(this.leftOut, leftOut);
      this.leftOutNames = addNames(this.leftOutNames, { [leftOut]: [name] });
    }
    if (damage !== null) this.damaged.push({ ...damage, name });
    if (message === null) return;
    this.messages.push(message);
    this.bytes += message.raw.length;
  }

  build(bytesRead: number): ImportBatch {
    const { messages, damaged, leftOut, leftOutNames, items, formats, notKept, separators, fromLinesInText } =
      this;
    const { next, bytesDone } = this.last!;
    return {
      ...{ messages, damaged, leftOut, leftOutNames, items, formats, notKept, separators, fromLinesInText },
      ...{ end: next, bytesRead, bytesDone },
    };
  }
}

function increase<K extends string>(counts: Partial<Record<K, number>>, name: K): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** The sums of two sets of counts. */
export function addCounts<K extends string>(one: Counts<K>, other: Counts<K>): Counts<K> {
  const sum: Partial<Record<K, number>> = { ...one };
  for (const [name, count] of Object.entries(other) as [K, number][]) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

export const totalOf = (counts: Counts<string>): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
