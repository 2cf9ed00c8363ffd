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

class VectorBuilder {
  private readonly positions = new Map<string, string[]>();
  private readonly lastPosition = new Map<string, number>();
  private position = 0;
  private bytes = 0;

  add(text: string, weight: 'A' | 'B' | 'C' | 'D'): void {
    const suffix = weight === 'D' ? '' : weight;
    for (const token of searchTokens(text)) {
      this.position = Math.min(this.position + 1, MAX_POSITION);
      this.addOccurrence(token, suffix);
    }
    this.position = Math.min(this.position + FIELD_GAP, MAX_POSITION);
  }

  toString(): string {
    const lexemes: string[] = [];
    for (const [token, positions] of this.positions)
      lexemes.push(`${quoteLexeme(token)}:${positions.join(',')}`);
    return lexemes.join(' ');
  }

  private addOccurrence(token: string, suffix: string): void {
    let positions = this.positions.get(token);
    if (!positions) {
      const cost = Buffer.byteLength(token) + LEXEME_OVERHEAD;
      if (this.bytes + cost + POSITION_BYTES > MAX_VECTOR_BYTES) return;
      this.bytes += cost;
      positions = [];
      this.positions.set(token, positions);
    }
    if (positions.length >= MAX_POSITIONS_PER_LEXEME || this.lastPosition.get(token) === this.position)
      return;
    if (this.bytes + POSITION_BYTES > MAX_VECTOR_BYTES) return;
    this.bytes += POSITION_BYTES;
    positions.push(`${this.position}${suffix}`);
    this.lastPosition.set(token, this.position);
  }
}

/** A lexeme in the text form of tsvector and tsquery: quoted, quotes and backslashes doubled. */
export function quoteLexeme(token: string): string {
  return `'${token.replace(/['\\]/g, '$&$&')}'`;
}
