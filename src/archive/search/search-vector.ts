import { searchTokens } from './fold-text';

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

interface Lexeme {
  /** `3A,17`, as tsvector input has it. */
  positions: string;
  count: number;
  last: number;
}

class VectorBuilder {
  private readonly lexemes = new Map<string, Lexeme>();
  private position = 0;
  private bytes = 0;

  add(text: string, weight: 'A' | 'B' | 'C' | 'D'): void {
    // D is the default weight and is not written.
    const suffix = weight === 'D' ? '' : weight;
    for (const token of searchTokens(text)) {
      this.position = Math.min(this.position + 1, MAX_POSITION);
      this.addOccurrence(token, suffix);
    }
    this.position = Math.min(this.position + FIELD_GAP, MAX_POSITION);
  }

  toString(): string {
    let vector = '';
    for (const [token, { positions }] of this.lexemes) {
      vector += `${vector === '' ? '' : ' '}${quoteLexeme(token)}:${positions}`;
    }
    return vector;
  }

  private addOccurrence(token: string, suffix: string): void {
    const lexeme = this.lexemes.get(token);
    if (!lexeme) {
      const cost = Buffer.byteLength(token) + LEXEME_OVERHEAD + POSITION_BYTES;
      if (this.bytes + cost > MAX_VECTOR_BYTES) return;
      this.bytes += cost;
      this.lexemes.set(token, { positions: `${this.position}${suffix}`, count: 1, last: this.position });
      return;
    }
    if (lexeme.count >= MAX_POSITIONS_PER_LEXEME || lexeme.last === this.position) return;
    if (this.bytes + POSITION_BYTES > MAX_VECTOR_BYTES) return;
    this.bytes += POSITION_BYTES;
    lexeme.positions += `,${this.position}${suffix}`;
    lexeme.count++;
    lexeme.last = this.position;
  }
}

/** A lexeme in the text form of tsvector and tsquery: quoted, quotes and backslashes doubled. */
export function quoteLexeme(token: string): string {
  return `'${token.replace(/['\\]/g, '$&$&')}'`;
}
