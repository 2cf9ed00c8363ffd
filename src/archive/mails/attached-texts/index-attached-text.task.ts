import { type IndexedWords, indexWords, passagesOf } from '../search/search-vector';

export interface AttachedTextTask {
  /** Texts of the pages of one attachment. */
  readonly texts: readonly string[];
  /** The texts among them that come from pictures. */
  readonly recognized: readonly string[];
}

/** The words of an attachment. */
export interface AttachedWords {
  /** Vectors of each page: more than one for a page that does not fit into one. */
  readonly pages: readonly (readonly string[])[];
  /** Words of all pages, to be added to the words of the mail. */
  readonly ofMail: IndexedWords;
  /** Words from pictures alone, for a mail that has the others already. */
  readonly ofPictures: IndexedWords;
}

const NOTHING_ELSE = { subject: '', sender: '', recipients: '', attachmentNames: [], text: '' };

/** Worker-thread entry: makes the words of an attachment's pages. */
export function indexAttachedText({ texts, recognized }: AttachedTextTask): AttachedWords {
  const wordsOf = (attachedText: string): IndexedWords => indexWords({ ...NOTHING_ELSE, attachedText });
  return {
    pages: texts.map((text) => {
      const vectors = passagesOf(wordsOf(text));
      return vectors.length === 0 ? [''] : vectors;
    }),
    ofMail: wordsOf(texts.join('\n')),
    ofPictures: wordsOf(recognized.join('\n')),
  };
}
