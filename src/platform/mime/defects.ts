const MAX_DEFECTS = 20;
const MAX_DEFECT_LENGTH = 200;
/** The most strays that are listed: more than a message of 1,000 parts has without broken lines in its headers. */
const MAX_STRAYS = 4_000;

/** Bytes of the raw message, `[start, end)`. */
export interface Stray {
  readonly start: number;
  readonly end: number;
}

/** Kinds of values that may be read wrongly: the date, the characters of a text, an address. See ADR 109. */
export const DOUBTS = ['date', 'charset', 'address'] as const;
export type Doubt = (typeof DOUBTS)[number];

/** The losses on reading a message. Defects are sentences: each is listed once, and no more than 20 of them. */
export class Defects {
  /** Whether a part of the message was not read, because there is too much of it or its form is unknown. */
  isCut = false;
  /** Text that belongs to no field and no part: before the first part and after the last one, broken header lines. */
  readonly strays: Stray[] = [];
  /** Kinds of values that are guesses. */
  readonly doubts = new Set<Doubt>();
  private readonly sentences = new Set<string>();

  add(sentence: string): void {
    if (this.sentences.size < MAX_DEFECTS) this.sentences.add(sentence.slice(0, MAX_DEFECT_LENGTH));
  }

  /** Adds a defect which says that a value is a guess. */
  addDoubt(doubt: Doubt, sentence: string): void {
    this.doubts.add(doubt);
    this.add(sentence);
  }

  /** Adds a defect which says that there was more than is read. */
  addCut(sentence: string): void {
    this.isCut = true;
    this.add(sentence);
  }

  addStray(start: number, end: number): void {
    if (start >= end) return;
    if (this.strays.length < MAX_STRAYS) this.strays.push({ start, end });
    else this.isCut = true;
  }

  list(): string[] {
    return [...this.sentences];
  }
}
