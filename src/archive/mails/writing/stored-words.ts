import { envelopeWords, type MailEnvelope } from '../mail-envelope';
import { fitTogether, type IndexedWords, NO_WORDS, passagesOf } from '../search/search-vector';

/** The words of a mail and of its envelope as inputs for `$1::tsvector`. */
export interface StoredWords {
  readonly vector: string;
  /** To be appended to the vector. */
  readonly envelope: string;
  /** Not empty: of a long mail, whose vectors are empty. */
  readonly passages: readonly string[];
}

/** The words of a mail as they are stored: in one tsvector if it holds them all, else in passages. */
export function storedWords(words: IndexedWords, envelope: MailEnvelope | null | undefined): StoredWords {
  const further = envelope ? envelopeWords(envelope) : NO_WORDS;
  if (fitTogether(words, further)) return { vector: words.vector, envelope: further.vector, passages: [] };
  return { vector: '', envelope: '', passages: [...passagesOf(words), ...passagesOf(further)] };
}
