import { arabicSpellings } from './arabic-spellings';
import { replaceSpecialLetters } from './special-letters';
import { dropWrittenDots, writeDots } from './written-umlauts';

const MARKS = /[\u0300-\u036f]+/g;
const UMLAUT = /[äöü]/g;

/**
 * The ways in which people write one word: `Müller` as `muller` and `mueller`, `Straße` as `strasse` and the other way round, `الكتاب` as `كتاب`. The word as
 * it is given comes first, the others are in lower case. `muller` alone does not say where its umlauts were.
 */
export function writtenForms(word: string): readonly string[] {
  const lower = word.normalize('NFC').toLowerCase();
  const forms = new Set([lower, withoutMarks(lower)]);
  const inLetters = lower.replace(UMLAUT, (letter) => `${withoutMarks(letter)}e`);
  if (inLetters !== lower) forms.add(withoutMarks(inLetters));
  if (/^[a-z]+$/.test(lower)) forms.add(lower.replace('ss', 'ß'));
  const withoutDots = dropWrittenDots(lower);
  if (withoutDots !== null) forms.add(writeDots(lower)).add(withoutDots);
  for (const form of arabicSpellings(lower)) forms.add(form);
  forms.delete(lower);
  return [word, ...forms];
}

/** Without accents and strokes: `cafe` of `café`, `sorensen` of `sørensen`. */
const withoutMarks = (lower: string): string =>
  replaceSpecialLetters(lower.normalize('NFKD').replace(MARKS, '').normalize('NFC'));
