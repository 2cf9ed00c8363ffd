/** Letters that Unicode does not decompose but that people type without their stroke or ligature. */
const SPECIAL: Readonly<Record<string, string>> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ł: 'l',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
};

const SPECIAL_LETTERS = /[ßœæøđðþħłŧıς]/g;

/** Replaces such letters of a text in lower case by the ones that stand for them: `straße` by `strasse`. */
export const replaceSpecialLetters = (text: string): string =>
  text.replace(SPECIAL_LETTERS, (letter) => SPECIAL[letter] ?? letter);
