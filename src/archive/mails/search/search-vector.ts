import { isAscii } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { visitTokens } from './fold-text';

/** PostgreSQL keeps positions up to 16,383 and 256 of them per lexeme ("Text Search Types", limitations). */
const MAX_POSITION = 16_383;
const MAX_POSITIONS_PER_LEXEME = 256;
/** A tsvector may have 1 MiB; per lexeme its bytes, 2 for alignment, 2 for the count and 2 for each position. */
const MAX_VECTOR_BYTES = 900_000;
const LEXEME_OVERHEAD = 4;
const POSITION_BYTES = 2;
/** Distance between two fields, so that no phrase matches across them. */
const FIELD_GAP = 16;

export interface SearchableMail {
  subject: string;
  sender: string;
  recipients: string;
  attachmentNames: readonly string[];
  text: string;
}

/**
 * The words of a mail as PostgreSQL text for `$1::tsvector`, with positions, weighted A (subject), B (sender),
 * C (recipients, attachment names) and D (body). Always within PostgreSQL's limits: what exceeds them (words beyond
 * 900 KB, occurrences of a word beyond 256) is left out from the end of the body.
 */
export function searchVector(mail: SearchableMail): string {
  const builder = new VectorBuilder();
  builder.add(mail.subject, 'A');
  builder.add(mail.sender, 'B');
  builder.add(mail.recipients, 'C');
  for (const name of mail.attachmentNames) builder.add(name, 'C');
  builder.add(mail.text, 'D');
  return builder.toString();
}

type Weight = 'A' | 'B' | 'C' | 'D';
/** D is the default weight and is not written. */
const WEIGHT_LETTERS: Readonly<Record<Weight, number>> = { A: 0x41, B: 0x42, C: 0x43, D: 0 };

const QUOTE = 0x27;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;
const DIGIT_ZERO = 0x30;
/** Characters of the longest written position, `16383A,`. */
const MAX_WRITTEN_POSITION = 7;
/** Characters that a lexeme takes besides its word: two quotes, a colon and a space. */
const WRITTEN_OVERHEAD = 4;

/** Secrets of this process, so that no mail can be made of words that all share one slot of the table. */
const HASH_SEED = randomInt(2 ** 32) | 0;
const HASH_FACTOR = randomInt(2 ** 32) | 1;
const INITIAL_SLOTS = 1024;
const INITIAL_WORD_BYTES = 8192;

interface Lexeme {
  hash: number;
  /** Range of its UTF-8 in the bytes of all words. */
  start: number;
  end: number;
  /** `position << 8 | weight letter`, ascending. */
  occurrences: number[];
}

/** Collects words in a hash table with open addressing over their bytes: no word becomes a string. */
class VectorBuilder {
  private readonly lexemes: Lexeme[] = [];
  /** Index of a lexeme plus one, 0 when free; never more than half full. */
  private slots = new Int32Array(INITIAL_SLOTS);
  private words = Buffer.allocUnsafe(INITIAL_WORD_BYTES);
  private wordsEnd = 0;
  private position = 0;
  private bytes = 0;
  private occurrenceCount = 0;

  add(text: string, weight: Weight): void {
    const letter = WEIGHT_LETTERS[weight];
    visitTokens(text, (word, length) => {
      this.position = Math.min(this.position + 1, MAX_POSITION);
      this.addOccurrence(word, length, letter);
    });
    this.position = Math.min(this.position + FIELD_GAP, MAX_POSITION);
  }

  toString(): string {
    const output = Buffer.allocUnsafe(
      this.wordsEnd + this.lexemes.length * WRITTEN_OVERHEAD + this.occurrenceCount * MAX_WRITTEN_POSITION,
    );
    let end = 0;
    for (const { start, end: wordEnd, occurrences } of this.lexemes) {
      if (end > 0) output[end++] = SPACE;
      // Words are letters, digits and marks: nothing in them needs an escape.
      output[end++] = QUOTE;
      for (let i = start; i < wordEnd; i++) output[end++] = this.words[i] as number;
      output[end++] = QUOTE;
      let separator = COLON;
      for (const occurrence of occurrences) {
        output[end++] = separator;
        separator = COMMA;
        end = writeDecimal(output, end, occurrence >> 8);
        const letter = occurrence & 0xff;
        if (letter !== 0) output[end++] = letter;
      }
    }
    const vector = output.subarray(0, end);
    return vector.toString(isAscii(vector) ? 'latin1' : 'utf8');
  }

  private addOccurrence(word: Buffer, length: number, letter: number): void {
    const hash = hashOf(word, length);
    const slot = this.slotOf(word, length, hash);
    const occurrence = (this.position << 8) | letter;
    const lexeme = this.lexemes[(this.slots[slot] as number) - 1];
    if (!lexeme) {
      const cost = length + LEXEME_OVERHEAD + POSITION_BYTES;
      if (this.bytes + cost > MAX_VECTOR_BYTES) return;
      this.bytes += cost;
      this.occurrenceCount++;
      const start = this.keepWord(word, length);
      this.lexemes.push({ hash, start, end: start + length, occurrences: [occurrence] });
      this.slots[slot] = this.lexemes.length;
      if (this.lexemes.length * 2 > this.slots.length) this.growSlots();
      return;
    }
    const { occurrences } = lexeme;
    const last = (occurrences[occurrences.length - 1] as number) >> 8;
    if (occurrences.length >= MAX_POSITIONS_PER_LEXEME || last === this.position) return;
    if (this.bytes + POSITION_BYTES > MAX_VECTOR_BYTES) return;
    this.bytes += POSITION_BYTES;
    this.occurrenceCount++;
    occurrences.push(occurrence);
  }

  /** The slot of the word, or the free one where it belongs. */
  private slotOf(word: Buffer, length: number, hash: number): number {
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const index = this.slots[slot] as number;
      if (index === 0) return slot;
      const lexeme = this.lexemes[index - 1] as Lexeme;
      if (lexeme.hash === hash && this.isWord(lexeme, word, length)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private isWord({ start, end }: Lexeme, word: Buffer, length: number): boolean {
    if (end - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.words[start + i] !== word[i]) return false;
    return true;
  }

  private keepWord(word: Buffer, length: number): number {
    const start = this.wordsEnd;
    this.wordsEnd += length;
    if (this.wordsEnd > this.words.length) {
      const larger = Buffer.allocUnsafe(this.words.length * 2);
      this.words.copy(larger, 0, 0, start);
      this.words = larger;
    }
    for (let i = 0; i < length; i++) this.words[start + i] = word[i] as number;
    return start;
  }

  private growSlots(): void {
    const slots = new Int32Array(this.slots.length * 4);
    const mask = slots.length - 1;
    for (const [index, { hash }] of this.lexemes.entries()) {
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
    this.slots = slots;
  }
}

function hashOf(word: Buffer, length: number): number {
  let hash = HASH_SEED;
  for (let i = 0; i < length; i++) {
    hash = Math.imul(hash ^ (word[i] as number), HASH_FACTOR);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** Writes a number below 100,000 and answers where it ends. */
function writeDecimal(output: Buffer, start: number, value: number): number {
  let end = start + 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end++;
  let rest = value;
  for (let pos = end - 1; pos >= start; pos--) {
    output[pos] = DIGIT_ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return end;
}

/** A lexeme in the text form of tsvector and tsquery: quoted, quotes and backslashes doubled. */
export function quoteLexeme(token: string): string {
  return `'${token.replace(/['\\]/g, '$&$&')}'`;
}
