/** A set number that stands for "not in the mailbox". */
export const ABSENT = -1;

/** One change of one message: its label set before and after; ABSENT marks arrival and permanent deletion. */
export interface HistoryRecord {
  readonly id: number;
  readonly message: number;
  readonly before: number;
  readonly after: number;
}

const MAX_RECORDS = 500_000;

/** The changes since the mailbox was opened, in columns; the oldest half is dropped when it grows too long. */
export class HistoryLog {
  private ids: number[] = [];
  private messages: number[] = [];
  private befores: number[] = [];
  private afters: number[] = [];
  private last: number;
  private oldestCursor: number;

  /** @param start the mailbox's history id before any change; cursors of an earlier run lie below it */
  constructor(start: number) {
    this.last = start;
    this.oldestCursor = start;
  }

  get current(): number {
    return this.last;
  }

  append(message: number, before: number, after: number): number {
    // Real ids rise with gaps.
    this.last += 1 + (this.last % 13);
    this.ids.push(this.last);
    this.messages.push(message);
    this.befores.push(before);
    this.afters.push(after);
    if (this.ids.length > MAX_RECORDS) this.dropOldest(MAX_RECORDS / 2);
    return this.last;
  }

  /** False when the cursor is too old or was never given out: the caller must list everything again. */
  covers(cursor: number): boolean {
    return cursor >= this.oldestCursor && cursor <= this.last;
  }

  /** Records with a higher id than the cursor, oldest first. */
  *since(cursor: number): Generator<HistoryRecord> {
    let low = 0;
    let high = this.ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ids[middle] as number) <= cursor) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < this.ids.length; at++) {
      yield {
        id: this.ids[at] as number,
        message: this.messages[at] as number,
        before: this.befores[at] as number,
        after: this.afters[at] as number,
      };
    }
  }

  /** Every cursor given out so far becomes too old. */
  expire(): void {
    this.dropOldest(this.ids.length);
    this.last += 1;
    this.oldestCursor = this.last;
  }

  private dropOldest(count: number): void {
    this.oldestCursor = this.ids[count - 1] ?? this.oldestCursor;
    this.ids = this.ids.slice(count);
    this.messages = this.messages.slice(count);
    this.befores = this.befores.slice(count);
    this.afters = this.afters.slice(count);
  }
}
