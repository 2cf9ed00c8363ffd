import { isAscii } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { FIELDS_KNOWN, SIGN_BYTES, SIGN_CODE, signOf, type WordField } from './field-words';
import { MAX_TOKEN_LENGTH, visitTokens } from './fold-text';
import { joinedNumbers } from '../../../platform/text/joined-numbers';
import { MAX_REVERSED_BYTES, MIN_REVERSED_LETTERS, reverseWord } from './reversed-words';
import { dropWrittenDots, mayHaveWrittenDots } from '../../../platform/text/written-umlauts';

/** PostgreSQL keeps positions up to 16,383 and 256 of them per lexeme ("Text Search Types", limitations). */
export const MAX_POSITION = 16_383;
export const MAX_POSITIONS_PER_LEXEME = 256;
/** A tsvector may have 1 MiB; per lexeme its bytes, 2 for alignment, 2 for the count and 2 for each position. */
export const MAX_VECTOR_BYTES = 900_000;
const LEXEME_OVERHEAD = 4;
const POSITION_BYTES = 2;
/** Distance between two fields, so that no phrase matches across them. */
const FIELD_GAP = 16;
/** Words that a passage has in common with the one before it: no phrase of a query is longer (`MAX_TOKENS`). */
export const PASSAGE_OVERLAP = 100;
/** Most passages of a mail: at least 156,000 words, where nothing but one word is repeated, and millions in written text. */
const MAX_PASSAGES = 1_000;

export interface SearchableMail {
  subject: string;
  sender: string;
  recipients: string;
  attachmentNames: readonly string[];
  text: string;
  /** Text of attachments. */
  attachedText?: string;
  /** Texts that are searched by their field. */
  fields?: readonly SearchableField[];
  /** Whether these are all fields that the mail has. */
  hasAllFields?: boolean;
}

/** A text that is searched by its field: its words stand in the index once more, after the sign of the field. */
export interface SearchableField {
  readonly field: WordField;
  readonly text: string;
}

/** The words of a mail as inputs for `$1::tsvector`, with positions. */
export interface IndexedWords {
  /** All words of the mail; empty when one tsvector cannot hold them with their positions. */
  readonly vector: string;
  /** The words of a long mail, in their order, with some words in common; none of another mail. */
  readonly passages: readonly string[];
  /** Whether the mail has more passages than are kept. */
  readonly isCut: boolean;
  /** Last position in the vector. */
  readonly lastPosition: number;
  /** Occurrences of the word that the vector has most often. */
  readonly mostOccurrences: number;
}

/** The words of a mail that has none, or whose words are not known. */
export const NO_WORDS: IndexedWords = {
  vector: '',
  passages: [],
  isCut: false,
  lastPosition: 0,
  mostOccurrences: 0,
};

/**
 * The words of a mail, weighted A (subject), B (sender), C (recipients, attachment names) and D (body, text of attachments). PostgreSQL
 * leaves positions out that exceed its limits, and phrases are found by positions: a mail that exceeds them has
 * passages instead, so that each of its phrases is whole in one of them. Numbers in groups follow the words of their field as one
 * word each; long words stand at their place forwards and backwards (`reverseWord`). At the end the words of recipients and other
 * fields that are searched by their name stand once more, each after the sign of its field (`field-words.ts`).
 */
export function indexWords(mail: SearchableMail): IndexedWords {
  const whole = new VectorBuilder();
  visitWords(mail, (word, length, weight, gap) => whole.add(word, length, weight, gap));
  if (!whole.isFull) return { ...NO_WORDS, vector: whole.toString(), ...whole.extent() };
  const builder = new PassageBuilder();
  visitWords(mail, (word, length, weight, gap) => builder.add(word, length, weight, gap));
  return { ...NO_WORDS, ...builder.end() };
}

/** Whether one tsvector holds two: PostgreSQL appends the second by `||`, and leaves positions out beyond its limits. */
export const fitTogether = (first: IndexedWords, second: IndexedWords): boolean =>
  first.passages.length === 0 &&
  second.passages.length === 0 &&
  first.lastPosition + second.lastPosition < MAX_POSITION &&
  first.mostOccurrences + second.mostOccurrences <= MAX_POSITIONS_PER_LEXEME &&
  first.vector.length + second.vector.length <= MAX_VECTOR_BYTES;

/** The words as passages, for a mail that needs them because of other words. */
export const passagesOf = ({ vector, passages }: IndexedWords): readonly string[] =>
  vector === '' ? passages : [vector];

/** @param gap positions without a word before this one */
type VisitWord = (word: Buffer, length: number, weight: Weight, gap: number) => boolean;

/** Visits the words of a mail in the order of its fields, until a visit answers no. */
function visitWords(mail: SearchableMail, visit: VisitWord): void {
  let gap = 0;
  let isWanted = true;
  const visitText = (text: string, weight: Weight): void => {
    if (!isWanted) return;
    visitTokens(text, (word, length) => {
      isWanted &&= visit(word, length, weight, gap);
      gap = 0;
    });
    gap += FIELD_GAP;
  };
  const visitField = (text: string, weight: Weight): void => {
    visitText(text, weight);
    const numbers = joinedNumbers(text);
    if (numbers.length > 0) visitText(numbers.join(' '), weight);
  };
  visitField(mail.subject, 'A');
  visitField(mail.sender, 'B');
  visitField(mail.recipients, 'C');
  for (const name of mail.attachmentNames) visitField(name, 'C');
  visitField(mail.text, 'D');
  visitField(mail.attachedText ?? '', 'D');
  const signed = Buffer.allocUnsafe(MAX_SIGNED_BYTES);
  const visitSigned = (text: string, start: number): void => {
    if (!isWanted) return;
    visitTokens(text, (word, length) => {
      word.copy(signed, start, 0, length);
      isWanted &&= visit(signed, start + length, 'C', gap);
      gap = 0;
    });
    gap += FIELD_GAP;
  };
  for (const { field, text } of mail.fields ?? []) {
    if (text === '') continue;
    const start = signed.write(signOf(field));
    visitSigned(text, start);
    const numbers = joinedNumbers(text);
    if (numbers.length > 0) visitSigned(numbers.join(' '), start);
  }
  if (mail.hasAllFields && isWanted) visit(signed, signed.write(FIELDS_KNOWN), 'C', gap);
}

/** A sign of a field and the longest word behind it. */
const MAX_SIGNED_BYTES = SIGN_BYTES + 3 * MAX_TOKEN_LENGTH;

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

/** Divides the words of a long mail: a passage ends where a tsvector is full, and the next begins some words before. */
class PassageBuilder {
  private readonly passages: string[] = [];
  private current = new VectorBuilder();
  /** The last words that were added. */
  private recent: { word: Buffer; weight: Weight; gap: number }[] = [];
  private isCut = false;

  add(word: Buffer, length: number, weight: Weight, gap: number): boolean {
    if (!this.current.add(word, length, weight, gap)) {
      this.passages.push(this.current.toString());
      this.isCut = this.passages.length >= MAX_PASSAGES;
      if (this.isCut) return false;
      this.current = new VectorBuilder();
      for (const repeated of this.recent.slice(-PASSAGE_OVERLAP))
        this.current.add(repeated.word, repeated.word.length, repeated.weight, repeated.gap);
      this.current.add(word, length, weight, gap);
    }
    this.recent.push({ word: Buffer.from(word.subarray(0, length)), weight, gap });
    if (this.recent.length >= 2 * PASSAGE_OVERLAP) this.recent = this.recent.slice(-PASSAGE_OVERLAP);
    return true;
  }

  end(): { passages: string[]; isCut: boolean } {
    return {
      passages: this.isCut ? this.passages : [...this.passages, this.current.toString()],
      isCut: this.isCut,
    };
  }
}

/** Collects words in a hash table with open addressing over their bytes: no word becomes a string. */
class VectorBuilder {
  /** Whether a word was refused, as the vector would exceed PostgreSQL's limits with it. */
  isFull = false;
  private readonly lexemes: Lexeme[] = [];
  /** The last word that was spelled in another way. */
  private readonly spelling = Buffer.allocUnsafe(SIGN_BYTES + MAX_REVERSED_BYTES);
  /** Index of a lexeme plus one, 0 when free; never more than half full. */
  private slots = new Int32Array(INITIAL_SLOTS);
  private words = Buffer.allocUnsafe(INITIAL_WORD_BYTES);
  private wordsEnd = 0;
  private position = 0;
  private bytes = 0;
  private occurrenceCount = 0;

  /** Adds the next word. @returns whether there was room for it */
  add(word: Buffer, length: number, weight: Weight, gap: number): boolean {
    this.position += 1 + gap;
    const letter = WEIGHT_LETTERS[weight];
    this.isFull ||= this.position >= MAX_POSITION || !this.addOccurrence(word, length, letter);
    this.isFull ||= !this.addSpellings(word, length, letter);
    return !this.isFull;
  }

  /** Adds the word backwards, and without written umlauts, at its own position; behind the sign that it has. */
  private addSpellings(word: Buffer, length: number, letter: number): boolean {
    if (word[0] !== SIGN_CODE) return this.addSpellingsBehind(0, word, length, letter);
    if (length <= SIGN_BYTES) return true;
    word.copy(this.spelling, 0, 0, SIGN_BYTES);
    return this.addSpellingsBehind(SIGN_BYTES, word.subarray(SIGN_BYTES), length - SIGN_BYTES, letter);
  }

  private addSpellingsBehind(sign: number, word: Buffer, length: number, letter: number): boolean {
    if (mayHaveWrittenDots(word, length)) {
      const without = dropWrittenDots(word.toString('latin1', 0, length));
      if (without !== null) {
        const end = sign + this.spelling.write(without, sign, 'latin1');
        if (!this.addOccurrence(this.spelling, end, letter)) return false;
      }
    }
    if (length < MIN_REVERSED_LETTERS) return true;
    const end = reverseWord(word, length, sign === 0 ? this.spelling : this.spelling.subarray(sign));
    return end === 0 || this.addOccurrence(this.spelling, sign + end, letter);
  }

  extent(): Pick<IndexedWords, 'lastPosition' | 'mostOccurrences'> {
    const mostOccurrences = this.lexemes.reduce(
      (most, { occurrences }) => Math.max(most, occurrences.length),
      0,
    );
    return { lastPosition: this.position, mostOccurrences };
  }

  toString(): string {
    const output = Buffer.allocUnsafe(
      this.wordsEnd + this.lexemes.length * WRITTEN_OVERHEAD + this.occurrenceCount * MAX_WRITTEN_POSITION,
    );
    let end = 0;
    for (const { start, end: wordEnd, occurrences } of this.lexemes) {
      if (end > 0) output[end++] = SPACE;
      // Words are letters, digits and marks, and the signs before some of them: nothing in them needs an escape.
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

  private addOccurrence(word: Buffer, length: number, letter: number): boolean {
    const hash = hashOf(word, length);
    const slot = this.slotOf(word, length, hash);
    const occurrence = (this.position << 8) | letter;
    const lexeme = this.lexemes[(this.slots[slot] as number) - 1];
    this.bytes += POSITION_BYTES + (lexeme ? 0 : length + LEXEME_OVERHEAD);
    if (this.bytes > MAX_VECTOR_BYTES) return false;
    this.occurrenceCount++;
    if (lexeme) {
      if (lexeme.occurrences.length >= MAX_POSITIONS_PER_LEXEME) return false;
      lexeme.occurrences.push(occurrence);
      return true;
    }
    const start = this.keepWord(word, length);
    this.lexemes.push({ hash, start, end: start + length, occurrences: [occurrence] });
    this.slots[slot] = this.lexemes.length;
    if (this.lexemes.length * 2 > this.slots.length) this.growSlots();
    return true;
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
